import Foundation

/// A request that is not yet bound to a server.
struct Call: Sendable {
  var method: String
  var path: Path
  var query: [(name: String, value: String)] = []
  var fields: [(name: String, value: String)] = []
  var body: Data?
  /// A file to send instead of `body`.
  var source: URL?
  /// A file for the body of a successful answer, instead of memory.
  var target: URL?
  var contentType: String?
  /// The same for each attempt of a write, so that it is done once; nil for reads, and for writes
  /// that are tried once.
  var idempotencyKey: String?
  /// Whether to attempt it only once, because the server cannot tell a second attempt from a second call.
  var isTriedOnce = false
  /// Whether a cached answer may be used, because it never changes.
  var mayBeCached = false

  static func get(_ path: Path, _ query: [(name: String, value: String?)] = []) -> Call {
    Call(method: "GET", path: path, query: given(query))
  }

  /// A write. All its attempts have the same idempotency key.
  static func write(
    _ method: String, _ path: Path, _ query: [(name: String, value: String?)] = [],
    json: (any Encodable & Sendable)? = nil
  ) throws(RowhouseError) -> Call {
    var call = Call(method: method, path: path, query: given(query))
    call.idempotencyKey = UUID().uuidString
    if let json {
      do { call.body = try JSONCoding.encoder.encode(json) } catch {
        throw .unreadable(status: 0, body: Data(), underlying: error)
      }
      call.contentType = "application/json"
    }
    return call
  }

  /// A write for which the server does not support keys.
  static func once(
    _ method: String, _ path: Path, json: (any Encodable & Sendable)? = nil
  ) throws(RowhouseError) -> Call {
    var call = try write(method, path, json: json)
    call.idempotencyKey = nil
    call.isTriedOnce = true
    return call
  }

  /// The call with the condition that the written resource has this revision (RFC 9110 §13.1.1).
  func ifMatch(_ revision: Int?) -> Call {
    guard let revision else { return self }
    var call = self
    call.fields.append(("If-Match", "\"\(revision)\""))
    return call
  }

  private static func given(
    _ query: [(name: String, value: String?)]
  ) -> [(name: String, value: String)] {
    query.compactMap { pair in pair.value.map { (pair.name, $0) } }
  }
}

/// The coding of bodies.
enum JSONCoding {
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}

/// A path below the server's URL. Interpolated values are escaped, so each stays one segment.
struct Path: Sendable, ExpressibleByStringInterpolation {
  let text: String

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 36 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ segment: some CustomStringConvertible) {
      text += Rowhouse.escaped(segment.description)
    }
  }
}

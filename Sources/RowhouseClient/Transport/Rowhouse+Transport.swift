import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Rowhouse {
  /// Makes the call, with retries, and decodes the answer.
  func answer<Answer: Decodable>(_ call: Call) async throws(RowhouseError) -> Answer {
    let (data, response) = try await perform(call)
    do { return try JSONCoding.decoder.decode(Answer.self, from: data) } catch {
      throw .unreadable(status: response.statusCode, body: data, underlying: error)
    }
  }

  /// Makes the call, with retries, and decodes one member of the answer.
  func answer<Value: Decodable>(
    _ call: Call, member name: String
  ) async throws(RowhouseError) -> Value {
    let (data, response) = try await perform(call)
    do {
      return try JSONCoding.decoder.decode(
        Member<Value>.self, from: data, configuration: MemberName(stringValue: name)
      ).value
    } catch {
      throw .unreadable(status: response.statusCode, body: data, underlying: error)
    }
  }

  /// Makes the call, with retries.
  ///
  /// - Returns: A successful answer.
  @discardableResult
  func perform(_ call: Call) async throws(RowhouseError) -> (Data, HTTPURLResponse) {
    let request = try request(for: call)
    let most = call.isTriedOnce ? 1 : retries.attempts
    var attempts = 0
    while true {
      attempts += 1
      switch try await attempt(call, request) {
      case .success(let data, let response): return (data, response)
      case .failure(let error, let asked):
        guard attempts < most else { throw error }
        do { try await Task.sleep(for: retries.delay(after: attempts, asked: asked)) } catch {
          throw .cancelled
        }
      }
    }
  }

  private enum Attempt {
    case success(Data, HTTPURLResponse)
    /// Another attempt may succeed, after the seconds that the server asked for.
    case failure(RowhouseError, retryAfter: Int?)
  }

  /// - Throws: An error that another attempt would not solve.
  private func attempt(
    _ call: Call, _ request: URLRequest
  ) async throws(RowhouseError) -> Attempt {
    let data: Data
    let answer: URLResponse
    do { (data, answer) = try await exchange(call, request) } catch {
      let error = RowhouseError(noAnswer: error)
      guard case .unreachable = error else { throw error }
      return .failure(error, retryAfter: nil)
    }
    guard let response = answer as? HTTPURLResponse else {
      throw .unreadable(status: 0, body: data, underlying: nil)
    }
    if response.isSuccess { return .success(data, response) }
    let refusal = Self.refusal(data, response)
    // The server sends `Retry-After` with every status for which a retry is likely to help.
    let asked = Self.retryAfter(response)
    guard asked != nil || Self.passing.contains(response.statusCode) else { throw refusal }
    return .failure(refusal, retryAfter: asked)
  }

  private func exchange(_ call: Call, _ request: URLRequest) async throws -> (Data, URLResponse) {
    if let source = call.source {
      do { try FileHandle(forReadingFrom: source).close() } catch {
        throw RowhouseError.file(underlying: error)
      }
      return try await session.answer(to: request, sending: source)
    }
    guard let target = call.target else { return try await session.answer(to: request) }
    let draft = try AtomicFile(of: target)
    let answer = try await session.answer(to: request, into: draft.handle)
    if answer.1.isSuccess { try draft.publish() }
    return answer
  }

  /// The statuses after which a retry may succeed.
  private static let passing: Set<Int> = [429, 502, 503, 504]

  /// The seconds that the server said to wait.
  static func retryAfter(_ response: HTTPURLResponse) -> Int? {
    response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
  }

  /// The error of an answer that is not successful.
  static func refusal(_ data: Data, _ response: HTTPURLResponse) -> RowhouseError {
    do { return .refused(try JSONCoding.decoder.decode(Problem.self, from: data)) } catch {
      return .unreadable(status: response.statusCode, body: data, underlying: error)
    }
  }

  func request(for call: Call) throws(RowhouseError) -> URLRequest {
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      throw .unreachable(URLError(.badURL))
    }
    var base = components.percentEncodedPath
    if base.hasSuffix("/") { base.removeLast() }
    components.percentEncodedPath = base + call.path.text
    if !call.query.isEmpty {
      components.percentEncodedQuery = call.query.map { pair in
        "\(Self.escaped(pair.name))=\(Self.escaped(pair.value))"
      }.joined(separator: "&")
    }
    guard let url = components.url else { throw .unreachable(URLError(.badURL)) }
    var request = URLRequest(url: url)
    request.httpMethod = call.method
    request.cachePolicy =
      call.mayBeCached ? .useProtocolCachePolicy : .reloadIgnoringLocalCacheData
    request.httpBody = call.body
    let fields: [(name: String, value: String?)] = [
      ("Content-Type", call.contentType), ("Authorization", token.map { "Bearer \($0)" }),
      ("Rowhouse-Inventory", inventory?.rawValue), ("Accept-Language", languages),
      ("Idempotency-Key", call.idempotencyKey),
    ]
    for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
    #if os(Linux)
      // URLSession on Linux cannot resend a body after a kept connection died. It waits for its timeout instead of
      // failing.
      if call.body != nil || call.source != nil {
        request.setValue("close", forHTTPHeaderField: "Connection")
      }
    #endif
    for field in call.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
    return request
  }

  /// A value escaped for a query or one segment of a path. `URLQueryItem` does not escape `+`, which many servers read
  /// as a space.
  static func escaped(_ value: String) -> String {
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}

/// The value of one member of a JSON object.
private struct Member<Value: Decodable>: DecodableWithConfiguration {
  let value: Value

  init(from decoder: any Decoder, configuration name: MemberName) throws {
    value = try decoder.container(keyedBy: MemberName.self).decode(Value.self, forKey: name)
  }
}

private struct MemberName: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

import HTTP
import JSON

/// What must hold for any bytes at all; what does not hold is a trap.
package enum Property {
  /// Requests are read alike whole, byte by byte and split where the bytes themselves say.
  package static func requests(_ bytes: [UInt8]) {
    let whole = RequestTranscript(bytes, splitBy: [])
    let single = RequestTranscript(bytes, splitBy: repeatElement(1, count: bytes.count))
    precondition(single == whole, "read otherwise byte by byte")
    let odd = RequestTranscript(bytes, splitBy: bytes.map { Int($0 & 31) })
    precondition(odd == whole, "read otherwise in pieces")
    let half = RequestTranscript(bytes, splitBy: [bytes.count / 2])
    precondition(half == whole, "read otherwise in halves")
  }

  /// The same for any bytes in the place of a chunked body.
  package static func chunks(_ bytes: [UInt8]) {
    requests(chunkedHead + bytes)
  }

  /// What is read as JSON can be written, and is read again as the same.
  package static func json(_ bytes: [UInt8]) {
    guard let value = try? JSONReader.parse(bytes) else { return }
    var writer = JSONWriter()
    writer.value(value)
    let written = writer.finish()
    guard let again = try? JSONReader.parse(written) else {
      preconditionFailure("what was written is not read")
    }
    precondition(again == value, "what was written is read as something else")
  }

  private static let chunkedHead = Array(
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
}

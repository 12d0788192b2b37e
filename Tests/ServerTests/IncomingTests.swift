import HTTP
import Testing

@testable import Server

@Suite struct `A body in memory` {
  private let limit = 8 << 20

  /// The largest number of bytes that were copied because the array grew while a body of `limit` bytes arrived.
  private func largestCopy(_ fields: Fields) throws -> Int {
    let incoming = Incoming(
      head: try RequestHead(method: .post, target: "/", fields: fields),
      mode: .buffer(limit: limit, answer: { _, _ in .later }))
    let piece = [UInt8](repeating: 7, count: 16 << 10)
    var largest = 0
    while incoming.body.count < limit {
      let (before, address) = (incoming.body.count, incoming.body.withUnsafeBytes(\.baseAddress))
      incoming.append(piece.span, limit: limit)
      if incoming.body.withUnsafeBytes(\.baseAddress) != address { largest = max(largest, before) }
    }
    return largest
  }

  @Test(arguments: [["Content-Length": "8388608"], ["Transfer-Encoding": "chunked"]])
  func `is hardly copied while it arrives`(fields: Fields) throws {
    #expect(try largestCopy(fields) <= limit / 8)
  }

  @Test func `takes little memory before much of it has arrived`() throws {
    let incoming = Incoming(
      head: try RequestHead(
        method: .post, target: "/", fields: ["Content-Length": "8388608"]),
      mode: .buffer(limit: limit, answer: { _, _ in .later }))
    incoming.append([1, 2, 3].span, limit: limit)
    #expect(incoming.body.capacity < 64 << 10)
    incoming.append([UInt8](repeating: 1, count: 100_000).span, limit: limit)
    #expect(incoming.body.capacity < 256 << 10)
  }
}

/// A whole request, its body buffered.
package struct Request: Sendable {
  package let head: RequestHead
  package var body: [UInt8]

  /// In bytes. A larger body may be read off the loop, so that a connection's next request waits for the answer.
  package static let smallBody = 32 << 10

  package init(head: RequestHead, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }
}

/// A whole request, its body buffered.
package struct Request: Sendable {
  package let head: RequestHead
  package var body: [UInt8]

  package init(head: RequestHead, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }
}

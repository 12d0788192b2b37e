/// Identifies one request of one connection of one loop.
package struct Ticket: Sendable, Hashable {
  package let connection: UInt64
  package let request: UInt32

  package init(connection: UInt64, request: UInt32) {
    self.connection = connection
    self.request = request
  }
}

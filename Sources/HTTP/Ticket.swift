/// Identifies one request of one connection of one loop.
package struct Ticket: Sendable, Hashable {
  package let connection: UInt64
  package let exchange: UInt32

  package init(connection: UInt64, exchange: UInt32) {
    self.connection = connection
    self.exchange = exchange
  }
}

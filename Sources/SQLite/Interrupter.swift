import CSQLite
import Synchronization

/// Interrupts a connection's running statements from any thread, and does nothing once it is closed.
package final class Interrupter: Sendable {
  // The address of the open connection, or 0; as an integer because pointers are not Sendable.
  private let connection: Mutex<UInt>

  init(connection: OpaquePointer) {
    self.connection = Mutex(UInt(bitPattern: connection))
  }

  /// The statements that run now end with SQLITE_INTERRUPT; later ones are not touched.
  package func interrupt() {
    connection.withLock { address in
      // SQLite allows this from another thread as long as the connection cannot close meanwhile,
      // which the lock sees to: https://www.sqlite.org/c3ref/interrupt.html
      if let open = OpaquePointer(bitPattern: address) { sqlite3_interrupt(open) }
    }
  }

  func detach() {
    connection.withLock { $0 = 0 }
  }
}

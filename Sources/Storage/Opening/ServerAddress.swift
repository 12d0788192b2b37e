/// The address of a database on a PostgreSQL server, where a path is expected: a connection string or a URI.
///
/// https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING
package struct ServerAddress: Sendable {
  /// It may hold a password, so it belongs into no message.
  let text: String

  /// The name of the database in messages.
  static let name = "the PostgreSQL database"

  /// Nil for the path of a file.
  init?(_ text: String) {
    let isURI = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
    let isString = ["host", "hostaddr", "dbname", "service"].contains { key in
      text.split(separator: " ").contains { $0.hasPrefix(key + "=") }
    }
    guard isURI || isString else { return nil }
    self.text = text
  }
}

extension Database {
  /// Whether a database is on a PostgreSQL server, and not in a file.
  package static func isOnServer(_ path: String) -> Bool { ServerAddress(path) != nil }

  /// The name of a database in messages: its path, or a text without the secrets of its address.
  package static func name(_ path: String) -> String {
    isOnServer(path) ? ServerAddress.name : path
  }
}

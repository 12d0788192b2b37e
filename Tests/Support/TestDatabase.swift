import Foundation
import Synchronization

/// Where tests keep their stores: in temporary files, or in schemas of a PostgreSQL server.
///
/// `ROWHOUSE_TEST_POSTGRESQL` is the URI of a server's database, with parameters after a question mark. The tests must
/// then be built with the trait PostgreSQL.
package enum TestDatabase {
  private static let server = ProcessInfo.processInfo.environment["ROWHOUSE_TEST_POSTGRESQL"]
  private static let count = Atomic<Int>(0)

  /// Whether stores are on a server.
  package static var isOnServer: Bool { server != nil }

  /// The address of a new, empty database.
  package static var temporary: String { schema ?? ":memory:" }

  /// The address of a new schema; nil without a server.
  package static var schema: String? {
    guard let server else { return nil }
    let number = count.add(1, ordering: .relaxed).newValue
    let name = "test_\(getpid())_\(number)"
    let psql = Process()
    psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    psql.arguments = ["psql", "-q", "-d", server, "-c", "CREATE SCHEMA \(name)"]
    guard (try? psql.run()) != nil else { fatalError("psql cannot be run") }
    psql.waitUntilExit()
    precondition(psql.terminationStatus == 0, "psql cannot create a schema on \(server)")
    return server + "&options=-csearch_path%3D\(name)"
  }
}

import Foundation

/// A folder of its own for one test, removed with all that is in it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    // Short, since the path of a Unix socket has to fit into 107 bytes.
    var template = Array("/tmp/rowhouse-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemFault("mkdtemp") }
    path = String(cString: made)
    database = TestDatabase.schema ?? path + "/rowhouse.sqlite"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where a file of that name is, or would be.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Where a database is, or would be: a file of the folder, or a schema of a server.
  package let database: String
}

/// A system call that failed, with what errno said.
package struct SystemFault: Error, CustomStringConvertible {
  package let description: String

  package init(_ call: String, code: Int32 = errno) {
    description = "\(call): \(String(cString: strerror(code)))"
  }
}

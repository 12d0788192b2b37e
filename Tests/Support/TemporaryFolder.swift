import Foundation

/// A folder of its own for one test, removed with all that is in it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    // Short, since the path of a Unix socket has to fit into 107 bytes.
    var template = Array("/tmp/rowhouse-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemFault("mkdtemp") }
    path = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where a file of that name is, or would be.
  package func file(_ name: String) -> String { path + "/" + name }

  package var database: String { file("rowhouse.sqlite") }
}

/// A system call that failed, with what errno said.
package struct SystemFault: Error, CustomStringConvertible {
  package let description: String

  package init(_ call: String, code: Int32 = errno) {
    description = "\(call): \(String(cString: strerror(code)))"
  }
}

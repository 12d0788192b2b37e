import Foundation

/// A folder of its own for one test, removed with all that is in it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    // Short, since the path of a Unix socket has to fit into 107 bytes.
    var template = Array("/tmp/rowhouse-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemFault("mkdtemp") }
    path = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where a file of that name is, or would be.
  func file(_ name: String) -> String { path + "/" + name }

  var database: String { file("rowhouse.sqlite") }
}

/// A system call that failed, with what errno said.
struct SystemFault: Error, CustomStringConvertible {
  let description: String

  init(_ call: String, code: Int32 = errno) {
    description = "\(call): \(String(cString: strerror(code)))"
  }
}

/// Something that did not happen in time.
struct Overdue: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = "This took too long: \(what)." }
}

/// Asks every few milliseconds until there is an answer.
///
/// - Throws: `Overdue` after so many seconds.
func poll<Value>(
  _ what: String, seconds: Double = 60, _ look: () throws -> Value?
) throws -> Value {
  let end = ContinuousClock.now + .seconds(seconds)
  while true {
    if let value = try look() { return value }
    guard ContinuousClock.now < end else { throw Overdue(what) }
    usleep(2_000)
  }
}

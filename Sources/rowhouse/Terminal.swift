import Glibc
import Synchronization

/// The output of commands: results on stdout, everything else on stderr.
enum Terminal {
  static func say(_ text: String) {
    if let code = put(text + "\n", on: STDOUT_FILENO) { loss.store(code, ordering: .relaxed) }
  }

  /// The reason why output to stdout was lost; nil if none was.
  static var cause: String? {
    let code = loss.load(ordering: .relaxed)
    return code == 0 ? nil : String(cString: strerror(code))
  }

  private static let loss = Atomic<Int32>(0)

  static func note(_ text: String) { put(text + "\n", on: STDERR_FILENO) }

  static func complain(_ text: String) {
    note((usesColour ? "\u{1B}[31merror:\u{1B}[0m " : "error: ") + text)
  }

  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

  /// Any non-empty value turns colours off: https://no-color.org
  private static var usesColour: Bool {
    isInteractive && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
  }

  /// Writes a text. Returns the `errno` of a failed write; nil if all is written.
  @discardableResult
  static func put(_ text: String, on descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
        if count < 0 && errno != EINTR { return errno }
        sent += max(0, count)
      }
      return nil
    }
  }
}

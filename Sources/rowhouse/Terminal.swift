import Glibc
import Synchronization

/// The output of commands: results on stdout, everything else on stderr. Texts may have names that other people have
/// chosen, so characters that control a terminal are escaped.
enum Terminal {
  static func say(_ text: String) {
    let code = put(withoutControls(text) + "\n", on: STDOUT_FILENO)
    if let code { loss.store(code, ordering: .relaxed) }
  }

  /// The reason why output to stdout was lost; nil if none was.
  static var cause: String? {
    let code = loss.load(ordering: .relaxed)
    return code == 0 ? nil : String(cString: strerror(code))
  }

  private static let loss = Atomic<Int32>(0)

  static func note(_ text: String) { put(withoutControls(text) + "\n", on: STDERR_FILENO) }

  static func complain(_ text: String) {
    put(usesColour ? "\u{1B}[31merror:\u{1B}[0m " : "error: ", on: STDERR_FILENO)
    note(text)
  }

  /// The text with an escape such as `\u{009B}` for each control character other than a tab or a line feed, and for
  /// each character that ends a line or changes the direction of text.
  private static func withoutControls(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { safe, scalar in
      safe += isControl(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0x00..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
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
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes all bytes. Returns the `errno` of a failed write; nil if all is written.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.write(
        descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      if count < 0 && errno != EINTR { return errno }
      sent += max(0, count)
    }
    return nil
  }
}

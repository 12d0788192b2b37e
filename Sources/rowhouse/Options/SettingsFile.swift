import Glibc

/// A settings file: UTF-8, with a setting on each line as `name = value`. The name is that of an option, without the
/// dashes before it.
///
/// Empty lines, and lines that begin with `#`, are ignored. Blanks around name and value do not count. Values need no
/// quotes or escapes.
enum SettingsFile {
  /// In bytes.
  private static let largest = 1 << 20

  /// The settings, with the numbers of their lines, counted from 1.
  static func lines(
    of path: String
  ) throws(Failure) -> [(number: Int, name: String, value: String)] {
    let bytes = try bytes(of: path, upTo: largest, else: .configuration)
    // Some editors put a byte order mark before the first name.
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else {
      throw Failure(.configuration, "\(path) is not in UTF-8.")
    }
    var lines: [(number: Int, name: String, value: String)] = []
    let parts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let number = index + 1
      var whole = Substring(part)
      if whole.unicodeScalars.last == "\r" { whole.unicodeScalars.removeLast() }
      let line = whole.trimmingBlanks
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard !line.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" }) else {
        throw Failure(.configuration, "\(path), line \(number) has a control character.")
      }
      let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else {
        throw Failure(
          .configuration, "\(path), line \(number) does not have the form name = value.")
      }
      lines.append(
        (number, String(sides[0].trimmingBlanks), String(sides[1].trimmingBlanks)))
    }
    return lines
  }

  /// Reads a whole file. Throws `noInput` if that fails.
  ///
  /// - Parameters:
  ///   - largest: the most bytes.
  ///   - code: the exit code for a larger file.
  static func bytes(
    of path: String, upTo largest: Int, else code: ExitCode
  ) throws(Failure) -> [UInt8] {
    guard let file = fopen(path, "re") else {
      throw Failure(.noInput, "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: largest + 1) { buffer, count in
      count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
    guard ferror(file) == 0 else {
      throw Failure(.noInput, "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
    guard bytes.count <= largest else {
      throw Failure(code, "\(path) has more than \(largest) bytes.")
    }
    return bytes
  }
}

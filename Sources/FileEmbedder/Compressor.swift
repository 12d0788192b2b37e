import Foundation

/// Compresses with the machine's own programs.
struct Compressor {
  private let folder: URL
  private let gzip: URL
  private let brotli: URL?

  /// - Parameter folder: where temporary files may be made.
  init(folder: URL) throws {
    self.folder = folder
    guard let gzip = Self.program("gzip") else {
      throw Failure("gzip is needed to build the web app")
    }
    self.gzip = gzip
    brotli = Self.program("brotli")
  }

  /// The text compressed by gzip. Equal texts give equal bytes.
  func gzipped(_ text: String) throws -> Data { try output(of: gzip, ["-9", "-n"], text) }

  /// The text compressed by brotli. Nil if that program is not installed.
  func brotlied(_ text: String) throws -> Data? {
    try brotli.map { try output(of: $0, ["-q", "11", "-c"], text) }
  }

  private static func program(_ name: String) -> URL? {
    let folders =
      ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? ["/usr/bin", "/bin"]
    return folders.map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  private func output(of program: URL, _ arguments: [String], _ text: String) throws -> Data {
    // A file, because two pipes could wait for each other.
    let input = folder.appendingPathComponent(
      "compressed-\(ProcessInfo.processInfo.processIdentifier)")
    try Data(text.utf8).write(to: input)
    defer { try? FileManager.default.removeItem(at: input) }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure("\(program.path) failed") }
    return bytes
  }
}

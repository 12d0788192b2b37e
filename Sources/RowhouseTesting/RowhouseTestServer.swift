#if os(macOS) || os(Linux)
  import Foundation
  import RowhouseClient
  import Synchronization

  /// A server of its own for a test suite: empty, in memory, on a free port of loopback, its clock
  /// standing still and its ids counted, so that the same calls get the same answers in each run.
  ///
  /// It ends with ``stop()`` or with the value, whichever comes first.
  public final class RowhouseTestServer: Sendable {
    /// Where it listens.
    public let url: URL
    /// A client of it, with every right.
    public let rowhouse: Rowhouse
    private let process: Mutex<Process?>

    /// Starts a server and waits until it serves.
    ///
    /// - Parameters:
    ///   - executable: the program `rowhouse`; nil: what `ROWHOUSE_EXECUTABLE` names, else the one
    ///     that stands in a folder of `PATH`.
    ///   - arguments: further options of `rowhouse serve`; they win over those that are usual here.
    public init(executable: URL? = nil, arguments: [String] = []) throws {
      let process = Process()
      process.executableURL = try executable ?? Self.find()
      process.arguments =
        [
          "serve", "--db", ":memory:", "--listen", "127.0.0.1:0", "--print-url", "--test-mode",
          "--clock", "fixed", "--ids", "sequential", "--log-format", "none",
        ] + arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardInput = FileHandle.nullDevice
      // What the test run was given for servers of its own is not meant for this one.
      process.environment = ProcessInfo.processInfo.environment.filter {
        !$0.key.hasPrefix("ROWHOUSE_")
      }
      try process.run()
      var line = Data()
      while !line.contains(UInt8(ascii: "\n")) {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else {
          process.waitUntilExit()
          throw Failure.didNotStart(status: process.terminationStatus)
        }
        line += more
      }
      let text = String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      guard let url = URL(string: text) else {
        process.terminate()
        throw Failure.saidNoURL(text)
      }
      self.url = url
      rowhouse = Rowhouse(at: url)
      self.process = Mutex(process)
    }

    deinit { stop() }

    public enum Failure: Error {
      /// There is no program `rowhouse` where one was looked for.
      case noExecutable
      /// It ended before it served; its messages are on stderr.
      case didNotStart(status: Int32)
      case saidNoURL(String)
    }

    /// Makes it as it was at its start.
    public func reset() async throws(RowhouseError) {
      try await rowhouse.resetForTests()
    }

    /// Keeps all that it holds under a name.
    public func snapshot(_ name: String = "snapshot") async throws(RowhouseError) {
      try await rowhouse.keepForTests(name)
    }

    /// Makes it as it was when a snapshot was made.
    public func restore(_ name: String = "snapshot") async throws(RowhouseError) {
      try await rowhouse.restoreForTests(name)
    }

    /// Ends it and waits for its end; a second call does nothing.
    public func stop() {
      let running = process.withLock { process in
        defer { process = nil }
        return process
      }
      guard let running else { return }
      running.terminate()
      running.waitUntilExit()
    }

    private static func find() throws -> URL {
      let environment = ProcessInfo.processInfo.environment
      if let path = environment["ROWHOUSE_EXECUTABLE"] { return URL(fileURLWithPath: path) }
      for folder in (environment["PATH"] ?? "").split(separator: ":") {
        let path = "\(folder)/rowhouse"
        if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
      }
      throw Failure.noExecutable
    }
  }
#endif

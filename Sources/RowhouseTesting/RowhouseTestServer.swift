#if os(macOS) || os(Linux)
  import Foundation
  import RowhouseClient
  import Synchronization

  /// A server of its own for a test suite: empty, in memory, on a free port of loopback, its clock
  /// standing still and its ids counted, so that the same calls get the same answers in each run.
  ///
  /// It ends with ``stop()``, with the value, or with the process that started it, whichever comes first.
  public final class RowhouseTestServer: Sendable {
    /// Where it listens.
    public let url: URL
    /// A client of it, with every right.
    public let rowhouse: Rowhouse
    private let running: Mutex<ServerProcess?>

    /// Starts a server and waits until it serves.
    ///
    /// - Parameters:
    ///   - executable: the program `rowhouse`; nil: what `ROWHOUSE_EXECUTABLE` names, else the one
    ///     that stands in a folder of `PATH`.
    ///   - arguments: further options of `rowhouse serve`; they win over those that are usual here.
    ///   - longest: how long it may take until it serves.
    public init(
      executable: URL? = nil, arguments: [String] = [], within longest: Duration = .seconds(300)
    ) throws {
      let usual = [
        "serve", "--db", ":memory:", "--listen", "127.0.0.1:0", "--print-url", "--test-mode",
        "--clock", "fixed", "--ids", "sequential", "--log-format", "none", "--end-with-stdin",
        // Tests that run beside many others, or in a debugger, may stand still for long.
        "--idle-time", "24h", "--read-time", "24h",
      ]
      // What the test run was given for servers of its own is not meant for this one.
      let environment = ProcessInfo.processInfo.environment.filter {
        !$0.key.hasPrefix("ROWHOUSE_")
      }
      let process = try ServerProcess(
        try executable ?? Self.find(), usual + arguments, environment)
      do {
        url = try Self.firstLine(of: process, within: longest)
      } catch {
        process.send(SIGKILL)
        _ = process.wait()
        throw error
      }
      rowhouse = Rowhouse(at: url)
      running = Mutex(process)
    }

    deinit { stop() }

    public enum Failure: Error {
      /// There is no program `rowhouse` where one was looked for.
      case noExecutable
      /// It ended before it served; its messages are on stderr.
      case didNotStart(status: Int32)
      case saidNoURL(String)
      /// It has said nothing for too long.
      case tookTooLong
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
      let process = running.withLock { running in
        defer { running = nil }
        return running
      }
      guard let process else { return }
      process.send(SIGTERM)
      _ = process.wait()
    }

    /// The URL that it prints once it serves.
    private static func firstLine(
      of process: ServerProcess, within longest: Duration
    ) throws -> URL {
      let deadline = ContinuousClock.now + longest
      var line = Data()
      while !line.contains(UInt8(ascii: "\n")) {
        let left = ContinuousClock.now.duration(to: deadline)
        var end = pollfd(
          fd: process.output.fileDescriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = max(left / .milliseconds(1), 0)
        let count = poll(&end, 1, Int32(milliseconds))
        // A signal, as a debugger sends them.
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Failure.tookTooLong }
        let more = process.output.availableData
        guard !more.isEmpty else { throw Failure.didNotStart(status: process.wait()) }
        line += more
      }
      let text = String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      guard let url = URL(string: text) else { throw Failure.saidNoURL(text) }
      return url
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

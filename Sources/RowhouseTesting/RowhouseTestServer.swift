#if os(macOS) || os(Linux)
  import Foundation
  import RowhouseClient
  import Synchronization

  /// A server for a test suite: empty, in memory, on a free port of loopback. Its clock is fixed and its ids are
  /// sequential, so the same calls get the same answers in each run.
  ///
  /// It ends with ``stop()``, when the value is released, or with the process that started it.
  public final class RowhouseTestServer: Sendable {
    /// The URL of the server.
    public let url: URL
    /// A client of the server, with full rights.
    public let rowhouse: Rowhouse
    private let running: Mutex<ServerProcess?>

    /// Starts a server and waits until it serves.
    ///
    /// - Parameters:
    ///   - executable: the program `rowhouse`. If nil, the one that `ROWHOUSE_EXECUTABLE` names,
    ///     else the first in a folder of `PATH`.
    ///   - seed: the first contents, as for `rowhouse serve --seed`: `empty`, `demo`, `rows=N` or the path of an
    ///     export.
    ///   - arguments: more options of `rowhouse serve`. They override the defaults, except that `--listen` adds an
    ///     address.
    ///   - longest: the time within which the server must serve.
    public init(
      executable: URL? = nil, seed: String = "empty", arguments: [String] = [],
      within longest: Duration = .seconds(300)
    ) throws {
      let usual = [
        "serve", "--db", ":memory:", "--listen", "127.0.0.1:0", "--print-url", "--test-mode",
        "--clock", "fixed", "--ids", "sequential", "--log-format", "none", "--end-with-stdin",
        "--seed", seed,
        // Tests may pause for long, in a debugger or beside many others.
        "--idle-time", "24h", "--read-time", "24h",
      ]
      // `ROWHOUSE_` variables of the test run are meant for other servers.
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
      /// No program `rowhouse` was found.
      case noExecutable
      /// The server ended before it served. Its messages are on stderr.
      case didNotStart(status: Int32)
      case saidNoURL(String)
      /// The server printed no URL in time.
      case tookTooLong
    }

    /// Lets chosen requests fail, in place of those chosen before. See `FaultRule` in `RowhouseClient`.
    public func fail(_ rules: FaultRule..., seed: Int = 0) async throws(RowhouseError) {
      try await rowhouse.setFaults(rules, seed: seed)
    }

    /// Resets the server to its state at the start, and ends all faults.
    public func reset() async throws(RowhouseError) {
      try await rowhouse.resetForTests()
    }

    /// Saves all data under a name.
    public func snapshot(_ name: String = "snapshot") async throws(RowhouseError) {
      try await rowhouse.keepForTests(name)
    }

    /// Restores the data of a snapshot.
    public func restore(_ name: String = "snapshot") async throws(RowhouseError) {
      try await rowhouse.restoreForTests(name)
    }

    /// Stops the server and waits for its end. A second call does nothing.
    public func stop() {
      let process = running.withLock { running in
        defer { running = nil }
        return running
      }
      guard let process else { return }
      process.send(SIGTERM)
      _ = process.wait()
    }

    /// The URL that the server prints when it serves.
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
        // A debugger may interrupt the call with a signal.
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

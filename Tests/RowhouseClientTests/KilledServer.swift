import Foundation
import RowhouseClient
import Support
import Synchronization

/// A server on a database that stays, which is killed and started again at the same address.
final class KilledServer: Sendable {
  let folder: TemporaryFolder
  private let process = Mutex<Process?>(nil)
  private let address = Mutex("127.0.0.1:0")

  init() throws { folder = try TemporaryFolder() }

  deinit { process.withLock { $0.map { _ = Foundation.kill($0.processIdentifier, SIGKILL) } } }

  struct DidNotStart: Error {}

  /// Starts it on what is in its folder; a client of it with every right.
  func start() async throws -> Rowhouse {
    let url = try await onThread { [self] in
      let end = ContinuousClock.now + .seconds(300)
      while true {
        if let url = try launch() { return url }
        // Whatever has its port for a moment lets go of it.
        guard ContinuousClock.now < end else { throw DidNotStart() }
        usleep(50_000)
      }
    }
    address.withLock { $0 = "127.0.0.1:\(url.port ?? 0)" }
    return Rowhouse(
      at: url,
      retries: RetryPolicy(
        attempts: 3, firstDelay: .milliseconds(10), longestDelay: .milliseconds(50)))
  }

  /// Nil where it ends at once.
  private func launch() throws -> URL? {
    let started = Process()
    let output = Pipe()
    try Self.run(
      started,
      [
        "serve", "--db", folder.database, "--listen", address.withLock { $0 }, "--print-url",
        "--log-format", "none",
      ], output: output)
    var line = Data()
    while !line.contains(10) {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty {
        started.waitUntilExit()
        return nil
      }
      line += more
    }
    process.withLock { $0 = started }
    return URL(string: String(decoding: line.prefix { $0 != 10 }, as: UTF8.self))
  }

  /// Gives it no chance to do anything any more.
  func kill() async throws {
    guard let running = process.withLock({ $0.take() }) else { return }
    try await onThread {
      _ = Foundation.kill(running.processIdentifier, SIGKILL)
      running.waitUntilExit()
    }
  }

  /// Runs a command on its database to the end; its exit code.
  func run(_ arguments: String...) async throws -> Int32 {
    try await onThread { [folder] in
      let command = Process()
      try Self.run(command, arguments + ["--db", folder.database], output: nil)
      command.waitUntilExit()
      return command.terminationStatus
    }
  }

  private static func run(_ process: Process, _ arguments: [String], output: Pipe?) throws {
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("ROWHOUSE_")
    }
    try process.run()
  }
}

/// Does on a thread of its own what would block one of the few that tasks have.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

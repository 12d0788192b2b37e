import Foundation
import RowhouseClient
import Support
import Synchronization

/// A server on a database that stays, which is killed and started again at the same address.
final class KilledServer: Sendable {
  let folder: TemporaryFolder
  private let port: HeldPort
  private let process = Mutex<ChildProcess?>(nil)

  init() throws {
    folder = try TemporaryFolder()
    port = try HeldPort()
  }

  struct DidNotStart: Error { let errors: String }

  /// Starts it on what is in its folder; a client of it with every right.
  ///
  /// - Parameter clock: The time of all its changes; nil: the time of day.
  func start(clock: String? = nil) async throws -> Rowhouse {
    let url = try await onThread { [self] in
      let started = try ChildProcess(
        executable.path,
        [
          "serve", "--db", folder.database, "--listen", port.address, "--print-url",
          "--log-format", "none", "--idle-time", "24h", "--read-time", "24h",
        ] + (clock.map { ["--clock", $0] } ?? []))
      process.withLock { $0 = started }
      return try poll("the start of the server") {
        if let url = started.output.wholeLine { return URL(string: url) }
        guard started.endingIfAny() == nil else { throw DidNotStart(errors: started.errors) }
        return nil
      }
    }
    return Rowhouse(
      at: url,
      retries: RetryPolicy(
        attempts: 3, firstDelay: .milliseconds(10), longestDelay: .milliseconds(50)))
  }

  /// Gives it no chance to do anything any more.
  func kill() async throws {
    guard let running = process.withLock({ $0.take() }) else { return }
    _ = try await onThread {
      running.signal(SIGKILL)
      return try running.waitForEnd()
    }
  }

  /// Runs a command on its database to the end.
  func run(_ arguments: String...) async throws -> ChildProcess.Ending {
    try await onThread { [folder] in
      try ChildProcess(executable.path, arguments + ["--db", folder.database]).waitForEnd()
    }
  }
}

extension String {
  /// The first line, once it is complete.
  var wholeLine: String? {
    firstIndex(of: "\n").map { String(self[..<$0]) }
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

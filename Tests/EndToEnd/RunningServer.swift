import Foundation
import Support

/// `rowhouse serve` on a free port, or on one that is held for it.
final class RunningServer: Sendable {
  let process: ChildProcess
  let port: UInt16

  /// What a slow machine may exceed where a test means nothing by it; options of the test's own win.
  private static let longTimeouts = ["--idle-time", "24h", "--read-time", "24h"]

  init(
    database: String, _ arguments: [String] = [], environment: [String: String] = [:],
    at held: HeldPort? = nil, largestFile kibibytes: Int? = nil, descriptors: Int? = nil
  ) throws {
    let address = held?.address ?? "127.0.0.1:0"
    let arguments =
      ["serve", "--db", database, "--listen", address] + Self.longTimeouts + arguments
    let process: ChildProcess
    let limit = kibibytes.map { "-f \($0)" } ?? descriptors.map { "-n \($0)" }
    if let limit {
      // What the shell limits holds for the server that takes its place.
      process = try ChildProcess(
        "/bin/bash",
        ["-c", "ulimit \(limit) && exec \"$0\" \"$@\"", Rowhouse.executable] + arguments,
        environment: environment)
    } else {
      process = try ChildProcess(Rowhouse.executable, arguments, environment: environment)
    }
    self.process = process
    port = try Self.waitForPort(of: process)
  }

  /// Waits for a server to say where it listens.
  static func waitForPort(of process: ChildProcess) throws -> UInt16 {
    try poll("the start of the server") {
      for line in process.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      where line.hasPrefix("Listening on http://127.0.0.1:") {
        return UInt16(line.drop { $0 != "1" }.split(separator: ":").last ?? "")
      }
      if let ending = process.endingIfAny() {
        throw EarlyEnd(ending: ending, errors: process.errors)
      }
      return nil
    }
  }

  struct EarlyEnd: Error {
    let ending: ChildProcess.Ending
    let errors: String
  }

  var url: String { "http://127.0.0.1:\(port)" }

  func connect() throws -> Client { try Client(port: port) }

  /// Tells it to stop, as a service manager would; how it ended.
  @discardableResult
  func stop() throws -> ChildProcess.Ending {
    process.signal(SIGTERM)
    return try process.waitForEnd()
  }

  /// Gives it no chance to do anything any more.
  func kill() throws {
    process.signal(SIGKILL)
    _ = try process.waitForEnd()
  }
}

import Foundation

/// The built `rowhouse`, serving a database on a free port until it is stopped or let go.
package final class ServerProcess {
  package enum Failure: Error, Equatable {
    /// It ended, or said nothing more, before it listened; with what it wrote on stderr.
    case notListening(String)
  }

  package let port: UInt16
  private let process: Process
  private let output: Pipe

  /// Starts it and waits until it says where it listens.
  package init(
    database: String = ":memory:", arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = Self.executable
    process.arguments =
      ["serve", "--db", database, "--listen", "127.0.0.1:0"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    guard let port = Self.port(saidOn: output) else {
      process.terminate()
      process.waitUntilExit()
      let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
      throw Failure.notListening(text)
    }
    // What nobody reads must not fill the pipe and stop the server.
    output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    errors.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    self.process = process
    self.output = output
    self.port = port
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  package var processID: Int32 { process.processIdentifier }
  package var isRunning: Bool { process.isRunning }

  package func connect() throws -> HTTPConnection { try HTTPConnection(port: port) }

  /// As a power cut would end it: nothing is finished or closed.
  package func killAtOnce() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Asks it to stop, waits until it has, and returns its exit code.
  package func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Where the package's executable is: beside the tests that are running.
  package static var executable: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("rowhouse")
  }

  /// Runs another subcommand to its end.
  package static func run(_ arguments: [String]) throws -> (code: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private static func port(saidOn output: Pipe) -> UInt16? {
    var text = ""
    while true {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { return nil }
      text += String(decoding: data, as: UTF8.self)
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      where line.hasPrefix("Listening on http://") {
        return line.split(separator: ":").last.flatMap { UInt16($0) }
      }
    }
  }
}

import Foundation
import Support
import Synchronization

/// All processes that serve one database: one on a file, or three if the tests run on a PostgreSQL server.
final class RunningServers: Sendable {
  private let folder: TemporaryFolder
  private let arguments: [String]
  /// Each process keeps its port when it is started again.
  private let ports: [HeldPort]
  private let servers: Mutex<[RunningServer]>

  init(_ arguments: [String] = []) throws {
    let folder = try TemporaryFolder()
    let ports = try (0..<(TestDatabase.isOnServer ? 3 : 1)).map { _ in try HeldPort() }
    self.folder = folder
    self.arguments = arguments
    self.ports = ports
    servers = Mutex(
      try ports.map { try RunningServer(database: folder.database, arguments, at: $0) })
  }

  /// A connection to any process. Throws `SystemFault` if it does not run now.
  func connect() throws -> Client {
    try Client(port: ports[Int.random(in: ports.indices)].number)
  }

  /// Kills a process and starts it again.
  func killOne() throws {
    let number = Int.random(in: ports.indices)
    try servers.withLock { $0[number] }.kill()
    let server = try RunningServer(database: folder.database, arguments, at: ports[number])
    servers.withLock { $0[number] = server }
  }

  /// Stops all processes and checks the database. Returns how the check ended.
  func stopAndCheck() throws -> ChildProcess.Ending {
    for server in servers.withLock({ $0 }) {
      let ending = try server.stop()
      guard ending == .exit(0) else { return ending }
    }
    return try Rowhouse.run("check", "--db", folder.database).ending
  }
}

import Foundation
import InProcessServer
import RowhouseClient
import Support
import Synchronization

/// A server that is killed and started again, and its clients' networks.
protocol ServerWithNetworks: Sendable {
  /// Starts it. The time of all changes is `date`. Returns a client with a good network.
  func start(at date: Date) async throws -> Rowhouse
  func kill() async throws
  /// A new network, and its client.
  func makeNetwork(to rowhouse: Rowhouse) throws -> (any Network, Rowhouse)
}

protocol Network: Sendable {
  func goDown()
  func comeBack()
  func cut()
  func dropAnswers(_ count: Int)
}

extension FlakyNetwork: Network {}
extension InProcessNetwork: Network {}

extension KilledServer: ServerWithNetworks {
  func start(at date: Date) async throws -> Rowhouse {
    try await start(clock: date.formatted(.iso8601))
  }

  func makeNetwork(to rowhouse: Rowhouse) throws -> (any Network, Rowhouse) {
    let network = try FlakyNetwork(to: rowhouse.url)
    return (network, Rowhouse(at: network.url, retries: .quick))
  }
}

/// A server without a process of its own. It closes its database instead of being killed.
final class ServerInThisProcess: ServerWithNetworks {
  private let folder: TemporaryFolder
  private let server: InProcessServer
  private let networks = Mutex<[InProcessNetwork]>([])

  init() throws {
    folder = try TemporaryFolder()
    server = InProcessServer(database: folder.database)
  }

  deinit {
    server.stop()
    for network in networks.withLock(\.self) { network.close() }
  }

  func start(at date: Date) async throws -> Rowhouse {
    try await onThread { [server] in try server.start(at: date) }
    return try makeNetwork().client(retries: .quick)
  }

  func kill() async throws { try await onThread { [server] in server.stop() } }

  func makeNetwork(to rowhouse: Rowhouse) throws -> (any Network, Rowhouse) {
    let network = try makeNetwork()
    return (network, network.client(retries: .quick))
  }

  private func makeNetwork() throws -> InProcessNetwork {
    let network = try InProcessNetwork(to: server)
    networks.withLock { $0.append(network) }
    return network
  }
}

import Foundation
import RowhouseClient

/// The root list in a terminal. It keeps working while the server is stopped, and after it was killed itself.
///
/// The rows are in the folder ROWHOUSE_STORE, `.rowhouse-list` if it is not set.
enum TerminalList {
  static func run(at rowhouse: Rowhouse) async throws {
    let path = ProcessInfo.processInfo.environment["ROWHOUSE_STORE"] ?? ".rowhouse-list"
    let store = try OfflineStore(in: URL(fileURLWithPath: path), for: rowhouse)
    await store.start()
    // The first time, this needs the server.
    try await store.keep(.root)
    print("ls | add NAME | mv FROM TO | rm INDEX | quit")
    await show(store)
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let numbers = words.dropFirst().joined().split(separator: " ").compactMap { Int($0) }
      do {
        switch (words.first, numbers.count) {
        case ("ls", _), (nil, _): break
        case ("add", _) where words.count == 2:
          try await store.createItem(ItemDraft(name: words[1]), in: .root)
        case ("mv", 2):
          if let row = await row(numbers[0], of: store) {
            try await store.move([row], into: .root, at: numbers[1])
          }
        case ("rm", 1):
          if let row = await row(numbers[0], of: store) {
            try await store.delete(row, recursive: true)
          }
        case ("quit", _):
          return await store.stop()
        default: print("?")
        }
      } catch { print(error.localizedDescription) }
      await show(store)
    }
    await store.stop()
  }

  private static func row(_ index: Int, of store: OfflineStore) async -> Row.ID? {
    let rows = await store.rows(of: .root) ?? []
    guard rows.indices.contains(index), !rows[index].isSentinel else { return nil }
    return rows[index].id
  }

  private static func show(_ store: OfflineStore) async {
    for row in await store.rows(of: .root) ?? [] {
      print(row.isSentinel ? "   \(row.title)" : "\(row.index). \(row.title)")
    }
    let status = await store.status
    let connection =
      switch status.connection {
      case .connecting: "connecting"
      case .online: "online"
      case .offline: "offline"
      case .stopped(let error): error?.localizedDescription ?? "stopped"
      }
    print("-- \(connection), \(status.waiting.count) waiting")
    for notice in await store.refused {
      print("   not done: \(notice.title): \(notice.outcome.problem?.detail ?? "")")
      try? await store.dismiss(notice.id)
    }
  }
}

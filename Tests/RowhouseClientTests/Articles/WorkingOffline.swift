import Foundation
import RowhouseClient

/// The code of the article of that name, so that it is compiled.
enum WorkingOffline {
  static func open(_ folder: URL, at rowhouse: Rowhouse) async throws -> OfflineStore {
    let store = try OfflineStore(in: folder, for: rowhouse)
    await store.start()
    return store
  }

  static func show(_ garage: Rowhouse.List.ID, of store: OfflineStore) async throws {
    try await store.keep(garage)
    for row in await store.rows(of: garage) ?? [] { print(row.title) }
  }

  static func work(in garage: Rowhouse.List.ID, of store: OfflineStore) async throws {
    let saw = try await store.createItem(ItemDraft(name: "Saw"), in: garage, at: 0)
    if let row = saw.row {
      try await store.move([row], into: garage, at: 2)
      try await store.editItem(Item.ID(rawValue: row.rawValue), ItemEdit(name: "Big saw"))
    }
    try await store.undo(saw.id)
  }

  static func follow(_ garage: Rowhouse.List.ID, of store: OfflineStore) async {
    for await update in store.updates(of: [garage]) {
      if let list = update.lists[garage] { print(list.rows.map(\.title)) }
      print("Waiting:", update.status.waiting.map(\.title))
      for notice in update.notices where notice.isRefused {
        print("Not done:", notice.title, notice.outcome.problem?.detail ?? "")
      }
    }
  }
}

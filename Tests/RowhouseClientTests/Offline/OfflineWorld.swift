import Foundation
import Support
import Testing

@testable import RowhouseClient

/// A folder with the stores of phones, and what they show.
struct OfflineWorld {
  let folder: TemporaryFolder
  let rowhouse: Rowhouse

  init(_ rowhouse: Rowhouse) throws {
    folder = try TemporaryFolder()
    var rowhouse = rowhouse
    rowhouse.retries = .quick
    self.rowhouse = rowhouse
  }

  func path(_ phone: String) -> URL { URL(fileURLWithPath: folder.file(phone)) }

  /// Opens the store of a phone, as after it was killed.
  func open(_ phone: String = "phone", token: String? = nil) throws -> OfflineStore {
    var rowhouse = rowhouse
    rowhouse.token = token ?? rowhouse.token
    return try OfflineStore(in: path(phone), for: rowhouse)
  }

  /// A store that keeps lists and is online.
  func online(
    _ phone: String = "phone", keeping lists: Rowhouse.List.ID...
  ) async throws -> OfflineStore {
    let store = try open(phone)
    await store.start()
    for list in lists { try await store.keep(list) }
    return store
  }
}

extension OfflineStore {
  func titles(of list: Rowhouse.List.ID) -> [String] {
    (rows(of: list) ?? []).filter { !$0.isSentinel }.map(\.title)
  }

  func id(_ title: String, in list: Rowhouse.List.ID) throws -> Row.ID {
    try #require(rows(of: list)?.first { $0.title == title }?.id)
  }

  var isSettled: Bool { queue.isEmpty && photos.isEmpty && reading.isIdle }
  var isOnline: Bool { if case .online = connection { true } else { false } }
  var isOffline: Bool { if case .offline = connection { true } else { false } }
  var stopReason: OfflineError? { if case .stopped(let error) = connection { error } else { nil } }
}

extension Rowhouse {
  func titles(of list: List.ID) async throws -> [String] {
    try await rows(of: list, limit: 1_000, showingSentinel: false).rows.map(\.title)
  }
}

/// Waits until all was sent, and the view is the server's rows.
func expectSame(
  _ store: OfflineStore, _ list: Rowhouse.List.ID, at rowhouse: Rowhouse,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await eventually(
    {
      guard await store.isSettled else { return false }
      let shown = await store.rows(of: list) ?? []
      return try await rowhouse.wholeList(list).shownRows == shown
    }, sourceLocation: sourceLocation)
}

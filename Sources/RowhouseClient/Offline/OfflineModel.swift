#if canImport(Observation)
  import Observation

  /// A list of a store for SwiftUI, and what waits to be sent.
  @MainActor @Observable public final class OfflineModel {
    /// The rows with the pinned last one; empty until the list is there.
    public private(set) var rows: [Row] = []
    public private(set) var list: Rowhouse.List?
    public private(set) var status: OfflineStatus?
    public private(set) var notices: [OfflineNotice] = []

    public init() {}

    /// Follows a list until the task is cancelled, as in `.task { await model.follow(garage, of: store) }`.
    public func follow(_ id: Rowhouse.List.ID, of store: OfflineStore) async {
      for await update in store.updates(of: [id]) {
        status = update.status
        notices = update.notices
        guard let change = update.lists[id] else { continue }
        list = change.change == .gone ? nil : change.list
        rows = change.change == .gone ? [] : change.rows
      }
    }
  }
#endif

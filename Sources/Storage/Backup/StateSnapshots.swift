import Inventory
import SQL

/// Snapshots of the whole database, kept in files beside it until the store is closed.
final class StateSnapshots {
  private let file: StoreFile
  private var states: [String: (path: String, ids: NewIdentifiers.Mark, clock: WallClock.Mark)] =
    [:]

  init(_ file: StoreFile) { self.file = file }

  deinit {
    for state in states.values { StoreFile.remove(at: state.path) }
  }

  /// - Parameter db: the writer's connection, outside of any transaction.
  func run(_ step: RewindStep, on db: Connection) throws(StorageError) {
    switch step {
    case .keep(let name):
      let path = states[name]?.path ?? "\(file.path).state-\(states.count)"
      StoreFile.remove(at: path)
      do throws(DatabaseError) { try db.backup(to: path) } catch { throw .database(error) }
      states[name] = (path, NewIdentifiers.mark, WallClock.mark)
    case .bringBack(let name):
      guard let state = states[name] else { throw .refused(.notFound(.snapshot)) }
      do throws(DatabaseError) {
        try Connection(path: state.path, mode: .readWrite).backup(into: db)
      } catch { throw .database(error) }
      NewIdentifiers.goBack(to: state.ids)
      WallClock.goBack(to: state.clock)
    // The writer does this itself.
    case .tidy: break
    }
  }
}

extension DatabaseStore: RewindableStore {
  package func rewind(
    _ step: RewindStep, completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    push(.rewind(step)) { result in completion(result.map { _ in }) }
  }
}

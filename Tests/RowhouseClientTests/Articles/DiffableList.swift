import RowhouseClient

@MainActor final class DiffableList {
  let dataSource = UITableViewDiffableDataSource<Int, Row.ID>()
  private(set) var rows: [Row.ID: Row] = [:]

  func show(_ update: ListUpdate) {
    rows = Dictionary(uniqueKeysWithValues: update.rows.map { ($0.id, $0) })
    var snapshot = NSDiffableDataSourceSnapshot<Int, Row.ID>()
    snapshot.appendSections([0])
    snapshot.appendItems(update.rows.map(\.id))
    if case .batch(let batch) = update.change {
      snapshot.reconfigureItems(batch.changed.map { update.rows[$0].id })
      dataSource.apply(snapshot)
    } else {
      dataSource.applySnapshotUsingReloadData(snapshot)
    }
  }
}

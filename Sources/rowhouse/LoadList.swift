import API
import FoundationEssentials
import Inventory

/// A long list of generated things, for load tests.
enum LoadList {
  /// Creates the list at the end of the root list. Returns its id.
  static func make(rows: Int, in store: SynchronousStore) throws(Failure) -> ListID {
    let id = ListID(.version7())
    try succeed(
      store.run(
        .createList(
          NewList(id: id, parent: .root, details: ListDetails(title: "\(rows) rows")))))
    var progress = ProgressBar("seeding")
    var done = 0
    while done < rows {
      let count = min(Limits.rowsInOneChange, rows - done)
      let items = (done..<done + count).map { number in
        NewItem(
          id: ItemID(.version7()),
          details: ItemDetails(
            name: "Thing \(number)", serialNumber: "S\(String(number, radix: 36).uppercased())",
            value: Cents(Int64(number % 10_000) + 1)))
      }
      try succeed(store.run(.appendItems(items, to: .id(id))))
      done += count
      progress.show(done, of: rows)
    }
    progress.finish()
    return id
  }

  private static func succeed(
    _ result: Result<Outcome, InventoryError>
  ) throws(Failure) {
    if case .failure(let error) = result {
      throw Failure(ExitCode(error), error.sentence)
    }
  }
}

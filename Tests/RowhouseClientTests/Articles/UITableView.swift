import Foundation

/// UIKit's table view as far as the articles use it. Its cells change only by its updates.
///
/// What the real one throws an exception for is kept in `faults`.
@MainActor final class UITableView {
  enum RowAnimation { case automatic }

  struct Cell: Equatable {
    var title: String?
    var detail: String?
  }

  private struct Batch {
    var deletes: [Int] = []
    var inserts: [Int] = []
    var reloads: [Int] = []
    var moves: [(from: Int, to: Int)] = []
  }

  private(set) var cells: [Cell] = []
  private(set) var faults: [String] = []
  /// How often all was shown anew, and how often a batch was performed.
  private(set) var reloadCount = 0
  private(set) var batchCount = 0
  private var batch: Batch?
  private unowned let controller: UITableViewController

  init(for controller: UITableViewController) { self.controller = controller }

  func dequeueReusableCell(withIdentifier identifier: String, for path: IndexPath)
    -> UITableViewCell
  {
    UITableViewCell()
  }

  func reloadData() {
    reloadCount += 1
    cells = (0..<rowCount).map(cell)
  }

  func performBatchUpdates(_ updates: () -> Void) {
    batchCount += 1
    batch = Batch()
    updates()
    if let batch { perform(batch) }
    batch = nil
  }

  func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
    batch?.deletes += paths.map(\.row)
  }

  func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
    batch?.inserts += paths.map(\.row)
  }

  func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {
    batch?.reloads += paths.map(\.row)
  }

  func moveRow(at from: IndexPath, to: IndexPath) { batch?.moves.append((from.row, to.row)) }

  func reconfigureRows(at paths: [IndexPath]) {
    for path in paths { cells[path.row] = cell(path.row) }
  }

  /// What a finger does: lifts a row, holds it over a place, and lets go.
  func drag(from: Int, to: Int) {
    let from = IndexPath(row: from, section: 0)
    guard controller.tableView(self, canMoveRowAt: from) else { return }
    let target = controller.tableView(
      self, targetIndexPathForMoveFromRowAt: from,
      toProposedIndexPath: IndexPath(row: to, section: 0))
    cells.insert(cells.remove(at: from.row), at: target.row)
    controller.tableView(self, moveRowAt: from, to: target)
  }

  private var rowCount: Int { controller.tableView(self, numberOfRowsInSection: 0) }

  private func cell(_ index: Int) -> Cell {
    let path = IndexPath(row: index, section: 0)
    let content = controller.tableView(self, cellForRowAt: path).contentConfiguration
    return Cell(title: content?.text, detail: content?.secondaryText)
  }

  /// Deletions, reloads and where moves begin count in the rows before, the rest in the rows after.
  private func perform(_ batch: Batch) {
    let leaving = batch.deletes + batch.moves.map(\.from)
    let arriving = batch.inserts + batch.moves.map(\.to)
    let before = leaving + batch.reloads
    let count = cells.count - batch.deletes.count + batch.inserts.count
    guard Set(before).count == before.count, before.allSatisfy(cells.indices.contains),
      Set(arriving).count == arriving.count, arriving.allSatisfy((0..<count).contains),
      count == rowCount
    else {
      faults.append("\(batch) makes \(rowCount) rows of \(cells.count)")
      return
    }
    // Nil: the data source is asked for the cell.
    var entries: [Cell?] = cells
    for index in batch.reloads { entries[index] = nil }
    var placed = Dictionary(uniqueKeysWithValues: batch.moves.map { ($0.to, entries[$0.from]) })
    for index in batch.inserts { placed[index] = .some(nil) }
    var staying = entries.indices.filter { !leaving.contains($0) }.map { entries[$0] }[...]
    cells = (0..<count).map { index in
      let entry = placed[index] ?? staying.removeFirst()
      return entry ?? cell(index)
    }
  }
}

@MainActor class UITableViewController {
  private(set) lazy var tableView = UITableView(for: self)
  let navigationItem = UINavigationItem()
  var navigationController: UINavigationController? = UINavigationController()
  var title: String?

  init() {}

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
  func tableView(_ tableView: UITableView, canMoveRowAt path: IndexPath) -> Bool { true }
  func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt from: IndexPath,
    toProposedIndexPath proposed: IndexPath
  ) -> IndexPath { proposed }
  func tableView(_ tableView: UITableView, moveRowAt from: IndexPath, to: IndexPath) {}
}

struct UITableViewCell {
  struct Content {
    var text: String?
    var secondaryText: String?
  }

  // A class in UIKit, which code that is compiled for both sets through a constant.
  private final class Storage { var content: Content? }
  private let storage = Storage()
  var contentConfiguration: Content? {
    get { storage.content }
    nonmutating set { storage.content = newValue }
  }

  func defaultContentConfiguration() -> Content { Content() }
}

@MainActor final class UINavigationItem { var prompt: String? }

@MainActor final class UINavigationController {
  private(set) var popCount = 0
  func popViewController(animated: Bool) { popCount += 1 }
}

struct NSDiffableDataSourceSnapshot<Section: Hashable, Identifier: Hashable> {
  private(set) var items: [Identifier] = []
  private(set) var reconfigured: [Identifier] = []
  mutating func appendSections(_ sections: [Section]) {}
  mutating func appendItems(_ identifiers: [Identifier]) { items += identifiers }
  mutating func reconfigureItems(_ identifiers: [Identifier]) { reconfigured += identifiers }
}

@MainActor final class UITableViewDiffableDataSource<Section: Hashable, Identifier: Hashable> {
  private(set) var applied = NSDiffableDataSourceSnapshot<Section, Identifier>()
  private(set) var reloadCount = 0
  func apply(_ snapshot: NSDiffableDataSourceSnapshot<Section, Identifier>) { applied = snapshot }
  func applySnapshotUsingReloadData(_ snapshot: NSDiffableDataSourceSnapshot<Section, Identifier>) {
    applied = snapshot
    reloadCount += 1
  }
}

extension IndexPath {
  init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  var row: Int { self[1] }
}

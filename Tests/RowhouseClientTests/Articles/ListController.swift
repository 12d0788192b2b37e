import Foundation
import RowhouseClient

final class ListController: UITableViewController {
  private var rows: [Row] = []
  private var mirror: ListMirror?

  func follow(_ list: Rowhouse.List.ID, at rowhouse: Rowhouse) async throws {
    let mirror = ListMirror(of: list, at: rowhouse)
    self.mirror = mirror
    for try await update in mirror.updates() { show(update) }
  }

  private func show(_ update: ListUpdate) {
    title = update.list.title
    switch update.change(from: rows) {
    case .all:
      rows = update.rows
      tableView.reloadData()
    case .batch(let batch):
      tableView.performBatchUpdates {
        rows = update.rows
        tableView.deleteRows(at: paths(batch.deletes), with: .automatic)
        tableView.insertRows(at: paths(batch.inserts), with: .automatic)
        tableView.reloadRows(at: paths(batch.reloads), with: .automatic)
        for move in batch.moves {
          tableView.moveRow(at: path(move.from), to: path(move.to))
        }
      }
      tableView.reconfigureRows(at: paths(batch.reconfigures))
    case .gone:
      navigationController?.popViewController(animated: true)
    }
  }

  private func path(_ index: Int) -> IndexPath { IndexPath(row: index, section: 0) }
  private func paths(_ indices: [Int]) -> [IndexPath] { indices.map(path) }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    rows.count
  }

  override func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell
  {
    let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: path)
    var content = cell.defaultContentConfiguration()
    content.text = rows[path.row].title
    content.secondaryText = rows[path.row].detail
    cell.contentConfiguration = content
    return cell
  }

  override func tableView(_ tableView: UITableView, canMoveRowAt path: IndexPath) -> Bool {
    rows[path.row].canMove
  }

  override func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt from: IndexPath,
    toProposedIndexPath proposed: IndexPath
  ) -> IndexPath {
    rows[proposed.row].isSentinel ? path(proposed.row - 1) : proposed
  }

  override func tableView(_ tableView: UITableView, moveRowAt from: IndexPath, to: IndexPath) {
    let row = rows.remove(at: from.row)
    rows.insert(row, at: to.row)
    Task {
      do { try await mirror?.moveRow(row.id, from: from.row, to: to.row) } catch {
        navigationItem.prompt = error.localizedDescription
      }
    }
  }
}

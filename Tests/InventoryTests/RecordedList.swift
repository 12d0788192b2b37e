import FoundationEssentials
import Inventory
import Support

/// A plain array of rows that random operations change, and the operations.
struct RecordedList {
  private(set) var rows: [Row] = []
  private(set) var operations: [ListOperation] = []
  /// Rows that were reloaded, or were away for a while.
  private(set) var changed: Set<RowID> = []
  let before: [Row]

  private var deleted: [Row] = []
  private var nextNumber = 0
  private var random: SplitMix64

  init(count: Int, seed: UInt64) {
    random = SplitMix64(seed: seed)
    var rows: [Row] = []
    for number in 0..<count { rows.append(Self.row(number, at: number)) }
    before = rows
    self.rows = rows
    nextNumber = count
  }

  mutating func operate(times: Int) {
    for _ in 0..<times { operate() }
  }

  private mutating func operate() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5: insert()
    case 5..<9: delete()
    case 9..<15: move()
    case 15..<18: reload()
    case 18: bringBack()
    default: permute()
    }
    for index in rows.indices { rows[index].index = RowIndex(index) }
  }

  private mutating func insert() {
    let index = Int.random(in: 0...rows.count, using: &random)
    let row = Self.row(nextNumber, at: index)
    nextNumber += 1
    rows.insert(row, at: index)
    operations.append(.insert(row.id, at: index))
  }

  private mutating func delete() {
    guard let index = rows.indices.randomElement(using: &random) else { return }
    let row = rows.remove(at: index)
    deleted.append(row)
    operations.append(.delete(row.id, at: index))
  }

  private mutating func bringBack() {
    guard let position = deleted.indices.randomElement(using: &random) else { return }
    let row = deleted.remove(at: position)
    let index = Int.random(in: 0...rows.count, using: &random)
    rows.insert(row, at: index)
    changed.insert(row.id)
    operations.append(.insert(row.id, at: index))
  }

  private mutating func move() {
    guard let from = rows.indices.randomElement(using: &random) else { return }
    let row = rows.remove(at: from)
    let to = Int.random(in: 0...rows.count, using: &random)
    rows.insert(row, at: to)
    operations.append(.move(row.id, from: from, to: to))
  }

  private mutating func reload() {
    guard let index = rows.indices.randomElement(using: &random),
      case .item(var item) = rows[index].content
    else { return }
    item.quantity += 1
    rows[index].content = .item(item)
    changed.insert(item.rowID)
    operations.append(.reload(item.rowID, at: index))
  }

  private mutating func permute() {
    var order = Array(rows.indices)
    if Bool.random(using: &random) {
      order.shuffle(using: &random)
    } else if let start = rows.indices.randomElement(using: &random) {
      // Two blocks change places, so that most rows keep their neighbours.
      let end = Int.random(in: start..<rows.count, using: &random)
      order = Array(order[..<start] + order[end...] + order[start..<end])
    }
    rows = order.map { rows[$0] }
    operations.append(.permute(order: order))
  }

  /// The rows that were there before, are there now and have been reloaded or away.
  var reloaded: Set<RowID> {
    changed.intersection(before.map(\.id)).intersection(rows.map(\.id))
  }

  static func row(_ number: Int, at index: Int) -> Row {
    var bytes = [UInt8](repeating: 0, count: 16)
    for byte in 0..<8 { bytes[byte] = UInt8(truncatingIfNeeded: number >> (byte * 8)) }
    let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    let item = Item(
      id: ItemID(uuid), listID: ListID(uuid), details: ItemDetails(name: "Thing \(number)"),
      contentsListID: nil, revision: Revision(1), createdAt: Timestamp(seconds: 0),
      updatedAt: Timestamp(seconds: 0))
    return Row(index: RowIndex(index), content: .item(ItemSummary(item)))
  }
}

extension ItemSummary {
  fileprivate var rowID: RowID { RowID(id) }
}

import FoundationEssentials
import Inventory

/// Trees to be imported, and inventories to be exported.
package enum RandomImports {
  /// Runs one random history in both stores.
  package static func fill(
    _ model: ArrayStore, and store: any Store, seed: UInt64,
    told: (NodeCommand, Result<Outcome, InventoryError>) -> Void = { _, _ in }
  ) throws {
    let names = NodeNames(root: model.state.rootID)
    var random = RandomHistory(seed: seed)
    for _ in 0..<150 {
      let step = random.step(in: model.state)
      // What a test brings in afterwards is to be the only import, and the root list is to stay.
      if step.command.isArrival { continue }
      let context = WriteContext(
        caller: step.caller(names), requestID: "fill", isStrict: step.isStrict)
      let command = step.command.staged(in: [model, store], names, context)
      told(step.command, model.perform(command, context))
      _ = store.write(command, context)
    }
    // What a test brings in afterwards may be as deep as it likes.
    let lift = NodeCommand.limitDepth(nil).command(names)
    let context = WriteContext(caller: .local, requestID: "fill")
    _ = model.perform(lift, context)
    _ = store.write(lift, context)
  }

  /// The same tree under other ids.
  package static func renamed(_ records: [TransferRecord], by step: Int) -> [TransferRecord] {
    func other(_ id: RowID) -> RowID {
      var bytes = id.uuid.uuid
      bytes.1 = UInt8(truncatingIfNeeded: step)
      bytes.2 = UInt8(truncatingIfNeeded: step >> 8)
      bytes.3 ^= 0x55
      return RowID(UUID(uuid: bytes))
    }
    return records.map { record in
      switch record {
      case .list(var list):
        list = TransferredList(
          id: ListID(other(RowID(list.id))), holder: list.holder, details: list.details,
          createdAt: list.createdAt, updatedAt: list.updatedAt)
        switch list.holder {
        case .nothing: break
        case .list(let id): list.holder = .list(ListID(other(RowID(id))))
        case .item(let id): list.holder = .item(ItemID(other(RowID(id))))
        }
        return .list(list)
      case .item(var item):
        item.id = ItemID(other(RowID(item.id)))
        item.list = ListID(other(RowID(item.list)))
        return .item(item)
      case .photo(var photo):
        photo.id = PhotoID(other(RowID(photo.id.uuid)).uuid)
        photo.item = ItemID(other(RowID(photo.item)))
        return .photo(photo)
      }
    }
  }

  /// A top with lists in it, and items in the last of them.
  package static func tree(lists: Int, items: Int) -> [NumberedRecord] {
    var records = [list(.nothing)]
    let top = ListID(records[0].id)
    for _ in 0..<lists { records.append(list(.list(top))) }
    let last = ListID(records[records.count - 1].id)
    for _ in 0..<items { records.append(item(in: last)) }
    return records.enumerated().map { NumberedRecord(line: $0.offset + 2, record: $0.element) }
  }

  /// Lists, each in the one before.
  package static func chain(lists: Int) -> [NumberedRecord] {
    var records = [list(.nothing)]
    for number in 1..<lists { records.append(list(.list(ListID(records[number - 1].id)))) }
    return records.enumerated().map { NumberedRecord(line: $0.offset + 2, record: $0.element) }
  }

  package static func list(_ holder: TransferredList.Holder) -> TransferRecord {
    .list(
      TransferredList(
        id: ListID(.version7()), holder: holder, details: ListDetails(title: "Shelf"),
        createdAt: Timestamp(seconds: 1), updatedAt: Timestamp(seconds: 2)))
  }

  package static func item(in list: ListID) -> TransferRecord {
    .item(
      TransferredItem(
        id: ItemID(.version7()), list: list, details: ItemDetails(name: "Spork"),
        createdAt: Timestamp(seconds: 1), updatedAt: Timestamp(seconds: 2)))
  }
}

import Inventory

extension ArrayChange {
  /// A list and all below it.
  func lists(below top: ListID) -> [ListID] {
    [top]
      + state[top].rows.flatMap { row in
        if let contents = state.items[ItemID(row)]?.contents { return lists(below: contents) }
        return state.lists[ListID(row)] == nil ? [] : lists(below: ListID(row))
      }
  }

  /// The items of a table with rooms as what is merged: the list, rooms, and items in their lists.
  func roomed(
    _ steps: [(upsert: ItemUpsert, id: ItemID, details: ItemDetails)], in list: ListID
  ) throws(InventoryError) -> [NumberedRecord] {
    var records: [NumberedRecord] = []
    var conflicts: [LineConflict] = []
    /// By the bytes of their titles.
    var known: [[[UInt8]]: ListID] = [[]: list]
    func add(_ id: ListID, _ holder: TransferredList.Holder, _ details: ListDetails, _ line: Int) {
      let list = TransferredList(
        id: id, holder: holder, details: details, createdAt: now, updatedAt: now)
      records.append(NumberedRecord(line: line, record: .list(list)))
    }
    add(list, .nothing, state[list].details, 1)
    for (upsert, id, details) in steps {
      var home = list
      if state.items[id] == nil, upsert.rooms.count > Limits.roomsInOneCell {
        conflicts.append(LineConflict(line: upsert.line, id: RowID(id), reason: .tooDeep))
        continue
      }
      for depth in upsert.rooms.indices where state.items[id] == nil {
        let titles = upsert.rooms[...depth].map { Array($0.utf8) }
        if let room = known[titles] {
          home = room
          continue
        }
        let title = upsert.rooms[depth]
        let rooms = (state.lists[home]?.rows ?? []).map { ListID($0) }.filter {
          state.lists[$0]?.details.title.hasBytes(of: title) ?? false
        }
        guard rooms.count < 2 else {
          conflicts.append(
            LineConflict(line: upsert.line, id: RowID(id), reason: .ambiguousLocation))
          break
        }
        let present = rooms.first
        let room = present ?? ListID(.version7())
        add(
          room, .list(home), present.map { state[$0].details } ?? ListDetails(title: title),
          upsert.line)
        known[titles] = room
        home = room
      }
      let item = TransferredItem(
        id: id, list: state.items[id]?.list ?? home, details: details, createdAt: now,
        updatedAt: now)
      records.append(NumberedRecord(line: upsert.line, record: .item(item)))
    }
    guard conflicts.isEmpty else {
      throw .lineConflicts(Array(conflicts.prefix(Limits.reportedErrors)))
    }
    return records
  }
}

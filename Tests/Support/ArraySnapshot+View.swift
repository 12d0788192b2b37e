import Inventory

extension ArraySnapshot {
  func rows(of list: ListReference, _ view: RowView) throws(InventoryError) -> PageOfRows {
    let id = try state.listID(list, for: caller)
    var rows = state.rows(of: id).filter {
      view.members.includes(isList: isList($0), hasContents: hasContents($0))
    }
    if let text = view.text {
      let folded = TextFolding.fold(text)
      rows = rows.filter { row in
        shown(row).contains { TextFolding.contains($0, folded) }
      }
    }
    if let sort = view.sort {
      guard rows.count <= Limits.rowsReordered else {
        throw .tooManyRows(limit: Limits.rowsReordered)
      }
      let values = rows.map { state.sortValue(of: $0.id, sort.key) }
      rows = sort.permutation(of: values).map { rows[$0] }
    }
    var firstSection = 0
    if let threshold = view.threshold {
      let isAbove = { (row: Row) -> Bool in
        guard case .number(let amount) = state.sortValue(of: row.id, .valueInDollars) else {
          return false
        }
        return amount > Int128(threshold.amount)
      }
      let above = rows.filter(isAbove)
      rows = above + rows.filter { !isAbove($0) }
      firstSection = above.count
    }
    var first: Int
    switch view.window.start {
    case .offset(let offset): first = min(offset, rows.count)
    case .after(let anchor):
      guard let place = rows.firstIndex(where: { $0.id == anchor }) else {
        throw .anchorGone(anchor)
      }
      first = place + 1
    }
    return PageOfRows(
      list: state.list(id, for: caller), matched: rows.count, firstSection: firstSection,
      first: first, rows: Array(rows.dropFirst(first).prefix(view.window.limit)))
  }

  private func isList(_ row: Row) -> Bool {
    if case .list = row.content { true } else { false }
  }

  private func hasContents(_ row: Row) -> Bool {
    if case .item(let item) = row.content { item.contentsListID != nil } else { false }
  }

  private func shown(_ row: Row) -> [String] {
    switch row.content {
    case .list(let list): [list.title]
    case .item(let item):
      [item.title, item.name ?? "", item.serialNumber ?? ""] + item.tags
    }
  }
}

extension ArrayState {
  func sortValue(of row: RowID, _ key: SortOrder.Key) -> SortValue {
    func number(_ value: Int64?) -> SortValue { value.map { .number(Int128($0)) } ?? .missing }
    if let list = lists[ListID(row)] {
      return switch key {
      case .title: .text(NaturalText(list.details.title))
      case .serialNumber, .quantity: .missing
      case .valueInDollars, .totalValueInDollars: .number(total(of: ListID(row)).amount)
      case .createdAt: number(list.createdAt.seconds)
      case .updatedAt: number(list.updatedAt.seconds)
      }
    }
    let item = self[ItemID(row)]
    return switch key {
    case .title: .text(NaturalText(item.details.title))
    case .serialNumber: item.details.serialNumber.map { .text(NaturalText($0)) } ?? .missing
    case .valueInDollars: number(item.details.value?.amount)
    case .totalValueInDollars:
      item.details.value.map { .number(Int128($0.amount) * Int128(item.details.quantity)) }
        ?? .missing
    case .quantity: number(item.details.quantity)
    case .createdAt: number(item.createdAt.seconds)
    case .updatedAt: number(item.updatedAt.seconds)
    }
  }
}

import Inventory

/// A tree that has been staged, as far as it has come.
struct ArrivingTree {
  var id: Int
  var list: Int?
  var lists: [Int] = []
  var items: [Int] = []

  init(id: Int, list: Int?) {
    self.id = id
    self.list = list
  }

  /// Nil where nothing has been staged.
  init?(_ state: ArrayState) {
    let names = NodeNames(root: state.rootID)
    guard let (id, tree) = state.staged.min(by: { "\($0.key)" < "\($1.key)" }) else { return nil }
    self.init(id: names.number(RowID(id.uuid)), list: tree.list.map { names.number(RowID($0)) })
    lists = tree.lists.keys.map { names.number(RowID($0)) }.sorted()
    items = tree.items.keys.map { names.number(RowID($0)) }.sorted()
  }
}

extension NodeCommand {
  var isArrival: Bool {
    switch self {
    case .stage, .finishImport, .abandonImport: true
    default: false
    }
  }
}

/// Imports that come in pieces, other changes between them.
extension RandomHistory {
  mutating func arrival(_ tree: VisibleTree) -> NodeCommand {
    guard let arriving else {
      // What replaces the inventory leaves little to go on with.
      return piece(
        ArrivingTree(id: newNumber(), list: chance(1, of: 12) ? nil : list(tree)), tree)
    }
    return switch Int.random(in: 0..<12, using: &random) {
    case 0..<6: piece(arriving, tree)
    case 6: .abandonImport(arriving.id)
    case 7: .finishImport(number())
    default: .finishImport(arriving.id)
    }
  }

  private mutating func piece(_ arriving: ArrivingTree, _ tree: VisibleTree) -> NodeCommand {
    var (lists, items) = (arriving.lists, arriving.items)
    var records: [NodeRecord] = []
    if lists.isEmpty {
      lists = [newNumber()]
      records.append(NodeRecord(lists[0], in: nil, .list(newList())))
    }
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let id = chance(1, of: 30) ? row(tree) : newNumber()
      let holder = chance(1, of: 40) ? list(tree) : pick(lists)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        records.append(NodeRecord(id, in: holder, .list(newList())))
        lists.append(id)
      case 2 where !items.isEmpty:
        records.append(NodeRecord(id, in: pick(items), .contents(newList())))
        lists.append(id)
      case 3 where !items.isEmpty:
        records.append(NodeRecord(id, in: pick(items), .photo(newPhoto())))
      default:
        records.append(NodeRecord(id, in: holder, .item(newItem())))
        items.append(id)
      }
    }
    return .stage(arriving.id, into: arriving.list, records)
  }
}

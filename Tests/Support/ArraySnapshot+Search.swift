import Inventory
import JSON

extension ArraySnapshot {
  /// What is found is in the order of the lists, unranked and without snippets.
  func search(
    _ query: SearchQuery, begin: (SearchTotal) -> Void, visit: (SearchHit) -> Bool
  ) throws(InventoryError) {
    let found = below(try state.listID(query.below, for: caller)).filter { isFound($0, query) }
    begin(SearchTotal(count: found.count, isTruncated: false))
    for row in found.dropFirst(query.offset).prefix(query.limit) {
      let hit = SearchHit(content: state.content(of: row), place: try place(of: row), snippet: [])
      guard visit(hit) else { return }
    }
  }

  /// What is found is in the order of the lists.
  func items(
    with lookup: ItemLookup, _ window: PageWindow
  ) throws(InventoryError) -> PageOf<ItemID> {
    let found = below(try state.listID(.root, for: caller)).map { ItemID($0) }
      .filter { id in state.items[id].map { fits($0.details, lookup) } ?? false }
    var first: Int
    switch window.start {
    case .offset(let offset): first = min(offset, found.count)
    case .after(let anchor):
      guard let place = found.firstIndex(where: { RowID($0) == anchor }) else {
        throw .anchorGone(anchor)
      }
      first = place + 1
    }
    return PageOf<ItemID>(
      count: found.count, first: first, elements: Array(found.dropFirst(first).prefix(window.limit))
    )
  }

  private func fits(_ details: ItemDetails, _ lookup: ItemLookup) -> Bool {
    switch lookup {
    case .serialNumber(let text): return details.serialNumber?.hasBytes(of: text) ?? false
    case .tag(let tag): return details.tags.contains { $0.hasBytes(of: tag) }
    case .field(let name, let value):
      guard case .object(let fields) = try? JSONReader.parse(Array(details.fields.json.utf8))
      else { return false }
      switch fields[name] {
      case .string(let text): return text.hasBytes(of: value)
      case .bool(let flag): return value == "\(flag)"
      case .number(let number):
        guard let wanted = ItemLookup.number(value) else { return false }
        return ItemLookup.isWhole(number.text + wanted)
          ? number.text == wanted : number.double == Double(wanted)
      default: return false
      }
    }
  }

  func tags(prefix: String, offset: Int, limit: Int) throws(InventoryError) -> TagCounts {
    var counts: [String: Int] = [:]
    for row in below(try state.listID(.root, for: caller)) {
      for tag in state.items[ItemID(row)]?.details.tags ?? [] { counts[tag, default: 0] += 1 }
    }
    return TagCounts(counts, prefix: prefix, offset: offset, limit: limit) {}
  }

  private func isFound(_ row: RowID, _ query: SearchQuery) -> Bool {
    let details = state.items[ItemID(row)]?.details
    switch query.kind {
    case nil: break
    case .list: if details != nil { return false }
    case .thing: if details?.kind != .thing { return false }
    case .car: if details?.kind != .car { return false }
    }
    if let tag = query.tag, details?.tags.contains(tag) != true { return false }
    guard let words = query.words?.words else { return query.tag != nil }
    let texts = (details.map(searched) ?? [state[ListID(row)].details.title]).map(tokens)
    return words.enumerated().allSatisfy { number, word in
      let sought = tokens(word)
      return texts.contains {
        holds($0, sought, asPrefix: number == words.count - 1)
      }
    }
  }

  private func searched(_ details: ItemDetails) -> [String] {
    let fields = details.fields.json.replacing(#"\\"#, with: " ").replacing(#"\n"#, with: " ")
    return [
      details.title, details.name ?? "", details.serialNumber ?? "", details.notes ?? "",
      details.tags.joined(separator: "\n"), fields,
    ]
  }

  /// The folded words of a text.
  private func tokens(_ text: String) -> [[UInt8]] {
    text.unicodeScalars.split { scalar in
      !SearchWords.isSearched(scalar) && !(0x300...0x36F).contains(scalar.value)
    }.map { TextFolding.fold(String($0)) }
  }

  /// Whether the words follow each other.
  private func holds(_ text: [[UInt8]], _ words: [[UInt8]], asPrefix: Bool) -> Bool {
    guard let last = words.last, text.count >= words.count else { return false }
    return (0...(text.count - words.count)).contains { start in
      let piece = text[start..<start + words.count]
      return piece.dropLast().elementsEqual(words.dropLast())
        && (asPrefix ? piece.last?.starts(with: last) == true : piece.last == last)
    }
  }
}

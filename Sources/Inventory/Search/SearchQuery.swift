/// What is looked for among all lists and items below a list.
package struct SearchQuery: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case thing, car, list
  }

  /// Nil: whatever has the tag, in the order in which it was made; nothing where that is nil too.
  package var words: SearchWords?
  /// The list itself is not among what is found.
  package var below: ListReference
  package var kind: Kind?
  /// One of an item's tags, to the letter.
  package var tag: String?
  package var offset: Int
  package var limit: Int

  package init(
    words: SearchWords?, below: ListReference = .root, kind: Kind? = nil, tag: String? = nil,
    offset: Int = 0, limit: Int = Limits.defaultPage
  ) {
    self.words = words
    self.below = below
    self.kind = kind
    self.tag = tag
    self.offset = offset
    self.limit = limit
  }
}

/// A list or an item that a search has found.
package struct SearchHit: Sendable, Equatable {
  /// A piece of the text that matched.
  package struct Piece: Sendable, Equatable {
    package var text: String
    /// Whether it is one of the words that were looked for.
    package var isMatch: Bool

    package init(text: String, isMatch: Bool) {
      self.text = text
      self.isMatch = isMatch
    }
  }

  package var content: Row.Content
  package var place: Place
  /// One after another the pieces are a part of what was found; none where no words were looked for.
  package var snippet: [Piece]

  package init(content: Row.Content, place: Place, snippet: [Piece]) {
    self.content = content
    self.place = place
    self.snippet = snippet
  }
}

/// How much a search has found.
package struct SearchTotal: Sendable, Equatable {
  /// At most `Limits.searchMatches`.
  package var count: Int
  /// Whether there is more that was not looked at.
  package var isTruncated: Bool

  package init(count: Int, isTruncated: Bool) {
    self.count = count
    self.isTruncated = isTruncated
  }
}

/// Some of the tags in use, the most used first, those used as often in natural order.
package struct TagCounts: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var tag: String
    /// Of items that have it.
    package var count: Int

    package init(tag: String, count: Int) {
      self.tag = tag
      self.count = count
    }
  }

  /// Of all tags.
  package var count: Int
  package var tags: [Entry]

  /// The page at `offset` of the tags that begin with a prefix, letter case and diacritics no matter.
  package init(_ counts: [String: Int], prefix: String, offset: Int, limit: Int) {
    let prefix = TextFolding.fold(prefix)
    let entries = counts.filter { TextFolding.fold($0.key).starts(with: prefix) }
      .map { (entry: Entry(tag: $0.key, count: $0.value), text: NaturalText($0.key)) }
      .sorted { left, right in
        left.entry.count != right.entry.count
          ? left.entry.count > right.entry.count : left.text.compare(right.text) < 0
      }
    count = entries.count
    tags = entries.dropFirst(offset).prefix(limit).map(\.entry)
  }
}

/// A search among all lists and items below a list.
package struct SearchQuery: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case thing, car, list
  }

  /// Nil: everything that has the tag, oldest first; nothing if the tag is nil too.
  package var words: SearchWords?
  /// The list itself is not searched.
  package var below: ListReference
  package var kind: Kind?
  /// One of an item's tags, compared exactly.
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

/// A list or an item found by a search.
package struct SearchHit: Sendable, Equatable {
  /// A part of a snippet.
  package struct Piece: Sendable, Equatable {
    package var text: String
    /// Whether it is one of the search words.
    package var isMatch: Bool

    package init(text: String, isMatch: Bool) {
      self.text = text
      self.isMatch = isMatch
    }
  }

  package var content: Row.Content
  package var place: Place
  /// The parts of an excerpt of the text that matched; empty for a search without words.
  package var snippet: [Piece]

  package init(content: Row.Content, place: Place, snippet: [Piece]) {
    self.content = content
    self.place = place
    self.snippet = snippet
  }
}

/// The number of results of a search.
package struct SearchTotal: Sendable, Equatable {
  /// At most `Limits.searchMatches`.
  package var count: Int
  /// Whether there are more results that were not counted.
  package var isTruncated: Bool

  package init(count: Int, isTruncated: Bool) {
    self.count = count
    self.isTruncated = isTruncated
  }
}

/// Tags in use with their counts, the most used first, equally used ones in natural order.
package struct TagCounts: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var tag: String
    /// The number of items with the tag.
    package var count: Int
  }

  /// The number of all tags.
  package var count: Int
  package var tags: [Entry]

  /// The page at `offset` of the tags with a prefix. Ignores letter case and diacritics.
  ///
  /// - Parameter check: called now and then. An error that it throws ends the work.
  package init<E: Error>(
    _ counts: [String: Int], prefix: String, offset: Int, limit: Int,
    check: () throws(E) -> Void
  ) throws(E) {
    let prefix = TextFolding.fold(prefix)
    var steps = 0
    func step() throws(E) {
      steps += 1
      if steps % 4_096 == 0 { try check() }
    }
    var entries: [(entry: Entry, text: NaturalText)] = []
    for (tag, count) in counts {
      try step()
      if prefix.isEmpty || TextFolding.fold(tag).starts(with: prefix) {
        entries.append((Entry(tag: tag, count: count), NaturalText(tag)))
      }
    }
    // The standard library's `sort` does not rethrow typed errors.
    var failure: E?
    entries.sort { left, right in
      guard failure == nil else { return false }
      do throws(E) { try step() } catch { failure = error }
      return left.entry.count != right.entry.count
        ? left.entry.count > right.entry.count : left.text.compare(right.text) < 0
    }
    if let failure { throw failure }
    count = entries.count
    tags = entries.dropFirst(offset).prefix(limit).map(\.entry)
  }
}

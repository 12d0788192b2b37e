import Inventory

extension Query {
  /// The query of `GET /v1/search`.
  var search: SearchQuery {
    if text("q") == nil, text("tag") == nil {
      note("q", "Enter words to search for, or send a tag.")
    }
    return SearchQuery(
      words: words, below: list("listId"), kind: itemOrList, tag: tag, offset: offset, limit: limit)
  }

  private var words: SearchWords? {
    guard let text = searchText("q") else { return nil }
    guard let words = SearchWords(text) else {
      note("q", "Enter at least one letter or digit.")
      return nil
    }
    if words.words.count > Limits.searchWords {
      note("q", "Use at most \(Limits.searchWords) words.")
    } else if words.partCount > Limits.searchParts {
      note("q", "Use at most \(Limits.searchParts) parts of words. AB-12 has two.")
    }
    return words
  }

  private var itemOrList: SearchQuery.Kind? {
    let kinds = SearchQuery.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    return value("kind", "One of \(kinds).", SearchQuery.Kind.init)
  }

  /// The tag that items must have.
  var tag: String? {
    guard let text = text("tag") else { return nil }
    if let fault = TextRules.fault(in: text, length: Limits.tag) {
      note("tag", fault)
    }
    return text
  }
}

extension ListDetails {
  /// The details with their texts trimmed. A sentinel text or label of white space only becomes "".
  package func normalized() -> ListDetails {
    var result = self
    result.title = TextRules.trimmed(title)
    result.sentinel.text = sentinel.text.map(TextRules.trimmed)
    result.deleteLabel = deleteLabel.map(TextRules.trimmed)
    return result
  }

  /// The errors of all fields that break a rule of `Limits`.
  package var fieldErrors: [FieldError] {
    var found: [FieldError] = []
    func check(_ text: String?, _ path: [String], _ length: ClosedRange<Int>) {
      guard let text, let fault = TextRules.fault(in: text, length: length) else { return }
      found.append(FieldError(path, fault))
    }
    check(title, ["title"], Limits.title)
    check(sentinel.text, ["sentinel", "text"], 0...Limits.title.upperBound)
    check(deleteLabel, ["deleteLabel"], 1...Limits.shortText)
    return found
  }
}

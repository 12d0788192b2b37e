import Inventory

/// The first rows of the list that a write names, and the list's own fields, before and after the write.
struct ExpectedPage {
  /// What has been seen of the write.
  enum Sight { case nothing, after }

  let question: Question
  private let before: Answer
  private let after: Answer

  /// - Parameter subject: a list, an item, whose list it is then, or anything else: the root list.
  init(of subject: Int, _ old: ArrayState, _ new: ArrayState, _ names: NodeNames) {
    let row = names.row(subject)
    let home = old.items[ItemID(row)].map { names.number(RowID($0.list)) }
    let list = old.lists[ListID(row)] == nil ? home ?? 0 : subject
    question = .rows(of: list, PageWindow(limit: 20))
    before = question.answer(from: ArraySnapshot(old), names)
    after = question.answer(from: ArraySnapshot(new), names)
  }

  /// What is wrong with an answer; what has been seen once stays to be seen.
  func fault(_ answer: Answer, _ sight: inout Sight) -> String? {
    if answer == after {
      sight = .after
      return nil
    }
    switch sight {
    case .nothing where answer == before: return nil
    case .nothing: return "\(question)\n  expected \(before)\n  or \(after)\n  but got \(answer)"
    case .after: return "\(question)\n  expected \(after)\n  but got \(answer)"
    }
  }
}

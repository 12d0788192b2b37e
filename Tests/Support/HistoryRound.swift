import Inventory

/// One step of a history, or one look at everything, in both stores.
struct HistoryRound {
  let model: ArrayStore
  let session: any ReadSession
  let names: NodeNames

  /// How the tested store's answer to a write differs from the arrays'.
  func fault(at step: HistoryStep, in store: any Store) -> String? {
    let before = model.state
    let context = WriteContext(
      caller: step.caller(names), requestID: "request",
      ifMatch: condition(step.ifMatch, of: step, before),
      ifNoneMatch: condition(step.ifNoneMatch, of: step, before), isStrict: step.isStrict,
      retry: step.retry)
    let upload = UploadID(.version7())
    let pieces = step.command.pieces(of: upload, names)
    defer {
      for upload in Set(pieces.map(\.upload)) {
        model.discard(upload, context)
        store.discard(upload, context)
      }
    }
    for piece in pieces {
      let expected = model.keep(piece, context)
      let actual = store.keep(piece, context)
      if let fault = Comparison(before: before, after: before).fault(expected, actual) {
        return "staging: \(fault)"
      }
      // Without its bytes there is no photo to be added.
      guard case .success = expected else { return nil }
    }
    let command = step.command.command(names, upload)
    let expected = model.perform(command, context)
    let actual = store.write(command, context)
    return Comparison(before: before, after: model.state).fault(expected, actual)
  }

  private func condition(
    _ match: HistoryStep.Match?, of step: HistoryStep, _ state: ArrayState
  ) -> IfMatch? {
    let row = names.row(step.command.subject)
    let version = state.navigators[NavigatorID(row.uuid)]?.navigator.version
    let current =
      version.map { Revision($0) } ?? state.lists[ListID(row)]?.revision ?? state.items[
        ItemID(row)]?.revision ?? Revision(1)
    return switch match {
    case nil: nil
    case .any: .any
    case .current: .revisions([current])
    case .behind(let count): .revisions([Revision(max(0, current.number - Int64(count)))])
    case .currentOrFirst: .revisions([current, Revision(1)])
    case .nothing: .revisions([])
    }
  }

  /// How the tested store's answers to reads differ from the arrays'.
  func fault(asking random: inout RandomQuestions, _ tested: StoreUnderTest) throws -> String? {
    let state = model.state
    try tested.settle()
    let all = random.questions(about: state)
    for root in [nil, names.scopes(in: state).randomElement(using: &random.random)] {
      let caller = Caller(root: root, role: .reader, name: "reader")
      let names = names
      // What is seen through a narrower scope differs at its border alone.
      let questions = root == nil ? all : all.filter { _ in random.random.next() % 4 == 0 }
      let expected = Self.answers(questions, ArraySnapshot(state: state), caller, names)
      let actual = try session.readNow(.long) { (snapshot) throws(InventoryError) in
        Self.answers(questions, snapshot, caller, names)
      }
      let comparison = Comparison(before: state, after: state)
      for (number, question) in questions.enumerated() {
        if let fault = comparison.fault(expected[number], actual[number]) {
          let scope = root.map { " below \(names.number(RowID($0)))" } ?? ""
          return "\(question)\(scope)\n  \(fault)"
        }
      }
    }
    session.rest()
    for photo in random.photos(in: state) {
      guard case .success(photo.bytes) = tested.store.bytes(of: photo.photo) else {
        return "The bytes of \(names.number(photo.photo.id)) are not those that were staged."
      }
    }
    let findings = try tested.findings()
    return findings.isEmpty ? nil : findings.joined(separator: "\n  ")
  }

  private static func answers(
    _ questions: [Question], _ snapshot: any Snapshot, _ caller: Caller, _ names: NodeNames
  ) -> [Answer] {
    questions.map { $0.answer(from: snapshot, for: caller, names) }
  }
}

extension NodeNames {
  fileprivate func scopes(in state: ArrayState) -> [ListID] {
    state.lists.keys.sorted { number(RowID($0)) < number(RowID($1)) }
  }
}

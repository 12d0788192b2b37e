import Inventory

/// One step of a history, or one look at everything, in both stores.
struct HistoryRound {
  let model: ArrayStore
  let session: any ReadSession
  let names: NodeNames

  /// How the tested store's answer to a write differs from the arrays'.
  ///
  /// - Parameter isWatched: whether its list is read while the write is under way, and behind it.
  func fault(
    at step: HistoryStep, in store: any Store, isWatched: Bool
  ) throws(InventoryError) -> String? {
    let before = model.state
    let context = WriteContext(
      caller: step.caller(names), requestID: "request",
      ifMatch: condition(step.ifMatch, of: step, before),
      ifNoneMatch: condition(step.ifNoneMatch, of: step, before),
      demandsIfMatch: step.demandsIfMatch, isStrict: step.isStrict, retry: step.retry)
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
    let comparison = Comparison(before: before, after: model.state)
    guard isWatched else { return comparison.fault(expected, store.write(command, context)) }
    let page = ExpectedPage(of: step.command.subject, before, model.state, names)
    var sight = ExpectedPage.Sight.nothing
    var fault: String?
    let actual = try store.write(command, context) { () throws(InventoryError) in
      let seen = try ask(page.question)
      fault = fault ?? page.fault(seen, &sight)
      // A loop rests where nothing is to be done, in the middle of anything that others do.
      if sight != .after { session.rest() }
    }
    fault = fault ?? comparison.fault(expected, actual)
    sight = .after
    let seen = try ask(page.question)
    return fault ?? page.fault(seen, &sight)
  }

  /// Asks as the loops of a server do: on the session's own connection, in the transaction that it has.
  private func ask(_ question: Question, _ caller: Caller = .local) throws(InventoryError) -> Answer
  {
    let names = names
    return try session.readNow(.bounded) { (snapshot) throws(InventoryError) in
      let answer = question.answer(from: snapshot, for: caller, names)
      // The read is then made once more, as a long one.
      if case .refusal(.boundExceeded) = answer { throw .boundExceeded }
      return answer
    }
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
  ///
  /// - Parameter isSettled: whether it does first what it does by and by; otherwise not even the session rests.
  func fault(
    asking random: inout RandomQuestions, _ tested: StoreUnderTest, isSettled: Bool
  ) throws -> String? {
    let state = model.state
    if isSettled {
      session.rest()
      try tested.settle()
    }
    let all = random.questions(about: state).filter { isSettled || !$0.isAboutWhatIsGone }
    for root in [nil, names.scopes(in: state).randomElement(using: &random.random)] {
      let caller = Caller(root: root, role: .reader, name: "reader")
      let names = names
      // What is seen through a narrower scope differs at its border alone.
      let questions = root == nil ? all : all.filter { _ in random.random.next() % 4 == 0 }
      let expected = questions.map {
        $0.answer(from: ArraySnapshot(state: state), for: caller, names)
      }
      let areQuick = questions.map { _ in Bool.random(using: &random.random) }
      let long = zip(questions, areQuick).filter { !$0.1 }.map(\.0)
      var longAnswers = try session.readNow(.long) { (snapshot) throws(InventoryError) in
        long.map { $0.answer(from: snapshot, for: caller, names) }
      }[...]
      let comparison = Comparison(before: state, after: state)
      for (number, question) in questions.enumerated() {
        let actual = try areQuick[number] ? ask(question, caller) : longAnswers.removeFirst()
        if let fault = comparison.fault(expected[number], actual) {
          let scope = root.map { " below \(names.number(RowID($0)))" } ?? ""
          return "\(question)\(scope)\(areQuick[number] ? ", bounded" : "")\n  \(fault)"
        }
      }
    }
    for photo in random.photos(in: state) {
      guard case .success(photo.bytes) = tested.store.bytes(of: photo.photo) else {
        return "The bytes of \(names.number(photo.photo.id)) are not those that were staged."
      }
    }
    let findings = try tested.findings()
    return findings.isEmpty ? nil : findings.joined(separator: "\n  ")
  }
}

extension Question {
  /// What is gone for good is counted until it has been cleared away, and known by its kind.
  fileprivate var isAboutWhatIsGone: Bool {
    switch self {
    case .counts, .activity: true
    default: false
    }
  }
}

extension NodeNames {
  fileprivate func scopes(in state: ArrayState) -> [ListID] {
    state.lists.keys.sorted { number(RowID($0)) < number(RowID($1)) }
  }
}

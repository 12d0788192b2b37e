import Inventory

/// One step of a history, or one look at everything, in both stores.
struct HistoryRound {
  let model: ArrayStore
  let session: any ReadSession
  /// Of what is the root list now.
  var names: NodeNames { NodeNames(root: model.state.rootID) }

  /// A write that the arrays have answered, and the tested store will.
  struct Sent {
    let step: HistoryStep
    let number: Int
    fileprivate let context: WriteContext
    fileprivate var uploads: Set<UploadID> = []
    fileprivate var comparison: Comparison
    /// Nil: nothing was sent, since its photos were not let in.
    fileprivate var expected: Result<Outcome, InventoryError>?
    fileprivate let actual = Awaited<Result<Outcome, InventoryError>>()
    /// What was wrong before or while it was made.
    fileprivate var fault: String?
  }

  /// Makes a write in the arrays, and has the tested store begin with it.
  func send(_ step: HistoryStep, number: Int, to store: any Store) -> Sent {
    let (before, names) = (model.state, names)
    var context = WriteContext(
      caller: step.caller(names), requestID: "request",
      ifMatch: condition(step.ifMatch, of: step, before),
      ifNoneMatch: condition(step.ifNoneMatch, of: step, before),
      demandsIfMatch: step.demandsIfMatch, isStrict: step.isStrict, retry: step.retry)
    context.isDryRun = step.isDryRun
    var sent = Sent(
      step: step, number: number, context: context,
      comparison: Comparison(before: before, after: before))
    let upload = UploadID(.version7())
    let pieces = step.command.pieces(of: upload, names)
    sent.uploads = Set(pieces.map(\.upload))
    for piece in pieces {
      let expected = model.keep(piece, context)
      sent.fault = sent.comparison.fault(expected, store.keep(piece, context))
        .map { "staging: \($0)" }
      // Without its bytes there is no photo to be added.
      guard sent.fault == nil, case .success = expected else { return sent }
    }
    let command = step.command.command(names, upload)
    let dryState = step.isDryRun ? stateAfterDryRun(command, context) : nil
    sent.expected = model.perform(command, context)
    sent.comparison = Comparison(before: before, after: dryState ?? model.state)
    store.submit(command, context) { [actual = sent.actual] in actual.fulfill($0) }
    return sent
  }

  /// The state that the write of a dry run would have led to.
  private func stateAfterDryRun(_ command: Command, _ context: WriteContext) -> ArrayState {
    let copy = model.copy()
    var context = context
    context.isDryRun = false
    context.retry = nil
    _ = copy.perform(command, context)
    return copy.state
  }

  /// The same as sending it, but its list is read while the write is under way, and behind it.
  func watch(
    _ step: HistoryStep, number: Int, in store: any Store
  ) throws(InventoryError) -> Sent {
    let (before, names) = (model.state, names)
    var sent = send(step, number: number, to: store)
    guard sent.expected != nil else { return sent }
    let page = ExpectedPage(of: step.command.subject, before, model.state, names)
    var sight = ExpectedPage.Sight.nothing
    while !sent.actual.isFulfilled {
      let seen = try ask(page.question)
      sent.fault = sent.fault ?? page.fault(seen, &sight)
      // A loop rests where nothing is to be done, in the middle of anything that others do.
      if sight != .after { session.rest() }
    }
    sight = .after
    let seen = try ask(page.question)
    sent.fault = sent.fault ?? page.fault(seen, &sight)
    return sent
  }

  /// How the tested store's answer to a write differs from the arrays'; waits for it.
  func fault(in sent: Sent, _ store: any Store) -> String? {
    defer {
      for upload in sent.uploads {
        model.discard(upload, sent.context)
        store.discard(upload, sent.context)
      }
    }
    guard let expected = sent.expected else { return sent.fault }
    return sent.fault ?? sent.comparison.fault(expected, sent.actual.value)
  }

  /// Asks as the loops of a server do: on the session's own connection, in the transaction that it has.
  private func ask(_ question: Question, _ caller: Caller = .local) throws(InventoryError) -> Answer
  {
    let names = names
    return try session.readNow(.bounded, as: caller) { (snapshot) throws(InventoryError) in
      let answer = question.answer(from: snapshot, names)
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
      let role = root == nil ? .reader : Role.allCases.randomElement(using: &random.random)
      let caller = Caller(
        root: root, role: role ?? .reader, name: "reader",
        token: root == nil ? nil : HistoryStep.editorsToken)
      let names = names
      // What is seen through a narrower scope differs at its border alone.
      let questions = root == nil ? all : all.filter { _ in random.random.next() % 4 == 0 }
      let expected = questions.map {
        $0.answer(from: ArraySnapshot(of: caller, state), names)
      }
      let areQuick = questions.map { _ in Bool.random(using: &random.random) }
      let long = zip(questions, areQuick).filter { !$0.1 }.map(\.0)
      var longAnswers = try session.readNow(.long, as: caller) {
        (snapshot) throws(InventoryError) in
        long.map { $0.answer(from: snapshot, names) }
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
      let isThere =
        state.items[photo.item]?.photos.contains(photo.photo.id) ?? false
        && state.isLive(RowID(photo.item))
      let bytes = tested.store.bytes(of: photo.photo)
      guard isThere ? bytes == .success(photo.bytes) : bytes == .failure(.notFound(.photo)) else {
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

import JSON

/// A history of a client that was offline, with all that must come of it: its store at the start, its queue, what others
/// did meanwhile, and what the client shows at each step.
///
/// The model on arrays finds what must come of it. The tests of the server and of both clients read the same vectors.
package struct SyncVector {
  private var chooser: RandomIntent
  private var server: SyncModel
  /// The server's states by revision.
  private var history: [SyncModel] = []
  private var kept: Set<String> = []
  private var read: Set<String> = []
  private var base: SyncModel
  private var queue: [SyncModel.Intent] = []
  private var outcomes: [SyncModel.Outcome] = []
  /// The number of commands that are answered, and the revision of each command's answer.
  private var answers: [Int] = []

  /// A vector as one line of JSON.
  package static func line(seed: UInt64) -> [UInt8] {
    var vector = SyncVector(seed: seed)
    var writer = JSONWriter()
    writer.value(vector.make(seed))
    return writer.finish()
  }

  private init(seed: UInt64) {
    chooser = RandomIntent(seed: seed)
    server = SyncModel(top: chooser.id(), title: "Home")
    base = server
  }

  private mutating func make(_ seed: UInt64) -> JSONValue {
    let world = makeWorld()
    kept = Set(server.rows.keys.sorted().filter { _ in chooser.chance(3, of: 4) })
    kept.formUnion(server.rows.keys.filter { server.nodes[$0]?.list == nil })
    read = Set(
      kept.sorted().flatMap { server.nodes[$0]?.rows ?? [] }
        .filter { server.nodes[$0]?.isList == false && chooser.chance(2, of: 5) })
    base = known(at: server)
    fillQueue()
    let first = base.base
    var view = present()
    var members = [
      ("seed", JSONValue(Int(seed))), ("world", .array(world)), ("base", first),
      ("queue", .array(queue.map(\.json))), ("view", view.view),
      ("batches", view.batches(since: base)),
    ]
    var steps: [JSONValue] = []
    let count = chooser.number(1..<4)
    while steps.count < count || !isOver {
      steps.append(step(isLast: steps.count >= count, &view))
    }
    members += [
      ("steps", .array(steps)),
      ("outcomes", .array(outcomes.enumerated().map { $1.json($0 + 1) })),
      (
        "rows",
        .object(
          JSONObject(
            server.rows.sorted { $0.key < $1.key }
              .map { ($0.key, .array($0.value.map(JSONValue.string))) }))
      ),
    ]
    return .object(JSONObject(members))
  }

  private var isOver: Bool { answers.count == queue.count && base.revision == server.revision }

  private func known(at state: SyncModel) -> SyncModel { state.restricted(to: kept, items: read) }

  private mutating func makeWorld() -> [JSONValue] {
    history = [server]
    let top = server.rows.keys.first ?? ""
    var commands: [JSONValue] = [
      ["type": "createList", "listId": "root", "list": ["id": .string(top), "title": "Home"]]
    ]
    for number in 0..<chooser.number(1..<17) {
      let list = server.rows.keys.sorted().randomElement(using: &chooser.random) ?? top
      let isList = number < 5 && chooser.chance(2, of: 3)
      commands.append(perform(chooser.creation(in: list, server, isList: isList)).json)
    }
    for _ in 0..<chooser.number(0..<3) {
      let rows = server.nodes.keys.filter(server.isRow).sorted()
      guard let row = rows.randomElement(using: &chooser.random) else { break }
      commands.append(perform(.delete(row, isRecursive: true)).json)
    }
    return commands
  }

  /// Has the server do a command.
  @discardableResult
  private mutating func perform(_ intent: SyncModel.Intent) -> SyncModel.Intent {
    outcome = server.make(intent)
    if outcome.isChanged { history.append(server) }
    return intent
  }
  private var outcome = SyncModel.Outcome()

  private mutating func fillQueue() {
    var view = base
    for _ in 0..<chooser.number(0..<13) {
      let intent = chooser.next(on: view, trash: server.deleted.sorted())
      queue.append(intent)
      view.make(intent)
    }
  }

  /// What the client shows: the queue applied to base, without what is refused, and without what base has already.
  private func present() -> SyncModel {
    var view = base
    for (index, intent) in queue.enumerated() {
      if index < answers.count {
        let outcome = outcomes[index]
        let isInBase = (outcome.revision ?? answers[index]) <= base.revision
        if outcome.kind == "refused" || isInBase { continue }
      }
      view.make(intent)
    }
    return view
  }

  private mutating func step(isLast: Bool, _ view: inout SyncModel) -> JSONValue {
    var others: [JSONValue] = []
    if !isLast {
      for _ in 0..<chooser.number(0..<6) {
        others.append(
          perform(chooser.next(on: server, trash: server.deleted.sorted())).json)
      }
    }
    let waiting = queue.count - outcomes.count
    let sent = isLast ? waiting : chooser.number(0..<waiting + 1)
    for intent in queue.dropFirst(outcomes.count).prefix(sent) {
      perform(intent)
      outcomes.append(outcome)
    }
    let old = view
    let (answer, event) = (answer(isLast: isLast), event(isLast: isLast))
    view = present()
    return [
      "others": .array(others), "sent": JSONValue(outcomes.count), "answer": answer,
      "event": event, "base": base.base, "view": view.view,
      "batches": view.batches(since: old),
    ]
  }

  private mutating func answer(isLast: Bool) -> JSONValue {
    guard answers.count < outcomes.count, isLast || chooser.chance(3, of: 4) else { return nil }
    let new = outcomes.enumerated().dropFirst(answers.count).map { $1.json($0 + 1) }
    answers += new.map { _ in server.revision }
    return [
      "clientId": .string(Self.client), "revision": JSONValue(server.revision),
      "outcomes": .array(new), "problem": nil,
    ]
  }

  private static let client = "c0000000-0000-4000-8000-000000000001"

  private mutating func event(isLast: Bool) -> JSONValue {
    guard base.revision < server.revision, isLast || chooser.chance(2, of: 3) else { return nil }
    let newest = isLast || chooser.chance(1, of: 2)
    let revision =
      newest ? server.revision : chooser.number(base.revision + 1..<server.revision + 1)
    let state = history[revision]
    let gone = kept.union(read).filter { !state.isLive($0) }
    kept.subtract(gone)
    read.subtract(gone)
    let old = base
    base = known(at: state)
    let before = history[old.revision]
    // The server tells of every list that it shows, and a client has to know which ones have only moved.
    let moved = state.rows.keys.filter {
      base.rows[$0] == nil && state.isLive($0) && before.nodes[$0]?.list != state.nodes[$0]?.list
    }
    let deltas =
      base.rows.keys.sorted().compactMap { base.delta(of: $0, since: old) }
      + moved.sorted().compactMap { state.delta(of: $0, since: before) }
    let items = read.sorted().filter {
      old.nodes[$0]?.details != base.nodes[$0]?.details
        || old.nodes[$0]?.list != base.nodes[$0]?.list
    }
    return [
      "fromRevision": JSONValue(old.revision), "revision": JSONValue(base.revision),
      "requestId": nil, "lists": .array(deltas.compactMap { $0.object?["listId"] }),
      "deltas": .array(deltas), "items": .array(items.map(base.item)),
      "gone": .array(gone.sorted().map(JSONValue.string)),
    ]
  }
}

import HTTP
import Inventory
import JSON

extension Route {
  /// Routes that are found only in test mode.
  static let tests = [
    rewind("/v1/test/reset", isNamed: false) { _ in .bringBack(RewindStep.start) },
    rewind("/v1/test/snapshot") { .keep($0) },
    rewind("/v1/test/restore") { .bringBack($0) },
    Route(.get, "/v1/test/faults", APIHandler.testFaults),
    Route(
      .post, "/v1/test/faults", body: .required, isUnconditional: true, APIHandler.setTestFaults),
    Route(.delete, "/v1/test/faults", isUnconditional: true, APIHandler.endTestFaults),
    Route(.get, "/v1/test/clock", APIHandler.testClock),
    Route(
      .post, "/v1/test/clock", body: .required, isUnconditional: true, APIHandler.setTestClock),
    Route(.get, "/v1/test/requests", APIHandler.testRequests),
    Route(.delete, "/v1/test/requests", isUnconditional: true, APIHandler.forgetTestRequests),
  ]

  private static func rewind(
    _ template: StaticString, isNamed: Bool = true,
    _ step: @escaping @Sendable (_ name: String) -> RewindStep
  ) -> Route {
    Route(.post, template, body: .optional, isUnconditional: true) { handler in
      { (request) throws(Problem) in try handler.rewind(request, isNamed, step) }
    }
  }
}

/// Calls for test suites. They are found only in test mode, and are for administrators.
extension APIHandler {
  /// - Throws: `notFound` outside of test mode; `roleForbids` to a caller who is not an administrator; 422 for any
  ///   parameter.
  private func harness(for request: RequestContext) throws(Problem) -> TestHarness {
    try request.refuseParameters()
    guard let harness = configuration.harness else { throw .notFound }
    guard request.caller.role == .admin else {
      throw Problem(InventoryError.roleForbids(needed: .admin))
    }
    return harness
  }

  /// `POST /v1/test/reset`, `/v1/test/snapshot` and `/v1/test/restore`
  ///
  /// A snapshot holds all stored data, the clock, and the state of counted ids. A reset also ends all faults.
  ///
  /// - Parameter isNamed: whether the body can name the snapshot.
  fileprivate func rewind(
    _ request: RequestContext, _ isNamed: Bool, _ step: (_ name: String) -> RewindStep
  ) throws(Problem) -> Reply {
    let harness = try harness(for: request)
    let name = try request.input(isNamed ? ["name"] : []) { _, members in
      let name = members.text("name") ?? "snapshot"
      let isName = (1...40).contains(name.utf8.count) && name.hasOnlyLettersDigits(and: "-_")
      if !isName || name == RewindStep.start {
        members.note(
          "name",
          "Send 1 to 40 letters, digits, - and _. The name \(RewindStep.start) belongs to reset.")
      }
      return name
    }
    return rewind(step(name), harness, request) { request.context.empty() }
  }

  private func rewind(
    _ step: RewindStep, _ harness: TestHarness, _ request: RequestContext,
    _ answer: @escaping @Sendable () -> Response
  ) -> Reply {
    let pages = configuration.pages
    harness.store.rewind(step) { result in
      // The same revisions may now belong to other rows.
      pages.forget()
      if case .bringBack = step { harness.stateDidReturn() }
      if case .bringBack(RewindStep.start) = step { harness.faults.clear() }
      request.send(request.response(to: result) { _ in answer() })
    }
    return .later
  }

  /// `GET /v1/test/faults`
  func testFaults(_ request: RequestContext) throws(Problem) -> Reply {
    let harness = try harness(for: request)
    return .now(request.context.response(harness.faults.present))
  }

  /// `POST /v1/test/faults`: the rules replace those before.
  func setTestFaults(_ request: RequestContext) throws(Problem) -> Reply {
    let harness = try harness(for: request)
    let (seed, rules) = try request.input(["seed", "rules"]) { _, members in
      let rules = members.objects(
        "rules", known: FaultRule.members, missing: "Send an array of rules.", FaultRule.init)
      if rules?.count ?? 0 > FaultRules.limit {
        members.note("rules", "Send at most \(FaultRules.limit) rules.")
      }
      return (members.whole("seed") ?? 0, rules ?? [])
    }
    harness.faults.set(rules, seed: seed)
    return .now(request.context.response(harness.faults.present))
  }

  /// `DELETE /v1/test/faults`
  func endTestFaults(_ request: RequestContext) throws(Problem) -> Reply {
    let harness = try harness(for: request)
    harness.faults.clear()
    return .now(request.context.empty())
  }

  /// `GET /v1/test/clock`
  func testClock(_ request: RequestContext) throws(Problem) -> Reply {
    _ = try harness(for: request)
    return .now(request.context.clock())
  }

  /// `POST /v1/test/clock`: answers when everything that has expired is gone.
  func setTestClock(_ request: RequestContext) throws(Problem) -> Reply {
    let harness = try harness(for: request)
    let target = try request.input(["time", "advance"]) { _, members -> Timestamp? in
      let now = Timestamp(WallClock.now)
      let time = members.time("time")
      let advance = members.value(
        "advance", "Send a whole number of seconds, 0 to \(Self.longestAdvance)."
      ) { value in
        value.int64.flatMap { (0...Self.longestAdvance).contains($0) ? $0 : nil }
      }
      guard members.isGiven("time") != members.isGiven("advance") else {
        members.note("time", "Send a time, or the seconds by which to advance the clock.")
        return nil
      }
      let target = time ?? advance.map { Timestamp(seconds: now.seconds + $0) }
      guard let target else {
        if members["time"] == nil, members["advance"] == nil {
          members.note("time", "Send a time, or the seconds by which to advance the clock.")
        }
        return nil
      }
      if !Self.settable.contains(target) {
        members.note("time", "Choose a time from 1970 to 9000.")
      }
      return target
    }
    WallClock.set(to: target)
    return rewind(.tidy, harness, request) { request.context.clock() }
  }

  /// In seconds: a hundred years.
  private static let longestAdvance: Int64 = 36_525 * 86_400
  /// From 1970 to the beginning of 9000. Times and years computed from these, such as the next model year, still have
  /// four digits.
  private static let settable =
    Timestamp(seconds: 0)...Timestamp(seconds: 221_845_392_000)

  /// `GET /v1/test/requests`
  func testRequests(_ request: RequestContext) throws(Problem) -> Reply {
    let harness = try harness(for: request)
    let journal = harness.journal.present
    return .now(
      request.context.object(capacity: 1024 + journal.bytes) { writer in
        writer.member("count", journal.entries.count)
        writer.member("dropped", journal.dropped)
        writer.objects("requests", journal.entries) { $0.entryMembers($1) }
      })
  }

  /// `DELETE /v1/test/requests`
  func forgetTestRequests(_ request: RequestContext) throws(Problem) -> Reply {
    let harness = try harness(for: request)
    harness.journal.clear()
    return .now(request.context.empty())
  }
}

extension ResponseContext {
  fileprivate func clock() -> Response {
    object { $0.member("time", Timestamp(WallClock.now)) }
  }

  fileprivate func response(_ faults: FaultRules.State) -> Response {
    object { writer in
      writer.member("seed", faults.seed)
      writer.member("count", faults.rules.count)
      writer.objects("rules", faults.rules) { writer, counted in
        writer.ruleMembers(counted.rule)
        writer.member("matched", counted.matched)
        writer.member("hits", counted.hits)
      }
    }
  }
}

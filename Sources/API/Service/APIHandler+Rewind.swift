import HTTP
import Inventory
import JSON

extension Route {
  /// Routes that are found only in test mode.
  static let tests = [
    rewind("/v1/test/reset", isNamed: false) { _ in .bringBack(RewindStep.start) },
    rewind("/v1/test/snapshot") { .keep($0) },
    rewind("/v1/test/restore") { .bringBack($0) },
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

extension APIHandler {
  /// `POST /v1/test/reset`, `/v1/test/snapshot` and `/v1/test/restore`: found only in test mode.
  ///
  /// A snapshot holds all stored data and the state of counted ids.
  ///
  /// - Parameter isNamed: whether the body can name the snapshot.
  fileprivate func rewind(
    _ request: RequestContext, _ isNamed: Bool, _ step: (_ name: String) -> RewindStep
  ) throws(Problem) -> Reply {
    try request.refuseParameters()
    guard let store = configuration.rewindable else { throw .notFound }
    guard request.caller.role == .admin else {
      throw Problem(InventoryError.roleForbids(needed: .admin))
    }
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
    let pages = configuration.pages
    store.rewind(step(name)) { result in
      // The same revisions may now belong to other rows.
      pages.forget()
      request.send(request.response(to: result) { _ in request.context.empty() })
    }
    return .later
  }
}

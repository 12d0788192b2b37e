import HTTP
import Inventory
import JSON

extension Route {
  /// Routes that are found only in test mode.
  static let tests = [
    rewind("/v1/test/reset", .reset), rewind("/v1/test/snapshot", .snapshot),
    rewind("/v1/test/restore", .restore),
  ]

  private static func rewind(_ template: StaticString, _ call: RewindCall) -> Route {
    Route(.post, template, body: .optional, isUnconditional: true) {
      (handler, request) throws(Problem) in
      try handler.rewind(call, request)
    }
  }
}

/// The calls of a test suite to a server in test mode.
enum RewindCall: Sendable {
  case reset, snapshot, restore
}

extension APIHandler {
  /// `POST /v1/test/reset`, `/v1/test/snapshot` and `/v1/test/restore`: found only in test mode.
  ///
  /// A snapshot holds all stored data and the state of counted ids.
  func rewind(_ call: RewindCall, _ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    guard let store = configuration.rewindable else { throw .notFound }
    guard request.caller.role == .admin else {
      throw Problem(InventoryError.roleForbids(needed: .admin))
    }
    let name = try request.input(call == .reset ? [] : ["name"]) { _, members in
      let name = members.text("name") ?? "snapshot"
      if !Self.isName(name) || name == RewindStep.start {
        members.note(
          "name",
          "Send 1 to 40 letters, digits, - and _. The name \(RewindStep.start) belongs to reset.")
      }
      return name
    }
    let step: RewindStep =
      switch call {
      case .reset: .bringBack(RewindStep.start)
      case .snapshot: .keep(name)
      case .restore: .bringBack(name)
      }
    let pages = configuration.pages
    store.rewind(step) { result in
      // The same revisions may now belong to other rows.
      pages.forget()
      switch result {
      case .success: request.send(request.context.empty())
      case .failure(let error):
        request.send(request.context.response(request.problem(error)))
      }
    }
    return .later
  }

  private static func isName(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

import HTTP
import Inventory
import Navigation

extension APIHandler {
  /// Reads on one committed revision and answers, now or when the store has done it.
  func read(
    _ cost: ReadCost, _ request: RequestContext,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Response
  ) -> Reply {
    @Sendable func answer(_ result: Result<Response, InventoryError>) -> Response {
      switch result {
      case .success(let response): response
      case .failure(let error): request.context.response(request.problem(error))
      }
    }
    let store = store
    let result = session.read(cost, for: request.requester, body) { result in
      request.send(answer(store.released(result, to: request.caller)))
    }
    return result.map { .now(answer($0)) } ?? .later
  }

  /// Submits a write; its answer comes when it is durable.
  ///
  /// - Parameters:
  ///   - caller: whoever asks, unless the path names another inventory.
  ///   - demandsIfMatch: whether it is refused without `If-Match`, unless it is sent again.
  func write(
    _ command: Command, as caller: Caller? = nil, showing: ResponseStyle = .receipt,
    isStrict: Bool = false, demandsIfMatch: Bool = false,
    _ request: RequestContext
  ) throws(Problem) -> Reply {
    let context = WriteContext(
      caller: caller ?? request.caller, requestID: request.context.requestID,
      ifMatch: try request.ifMatch(), ifNoneMatch: try request.ifNoneMatch(),
      demandsIfMatch: demandsIfMatch, isStrict: isStrict,
      retry: try request.retry { request.response($0, showing) })
    store.submit(command, context) { result in
      request.send(request.response(to: result, showing))
    }
    return .later
  }
}

/// What a write's answer shows.
enum ResponseStyle: Sendable {
  case receipt
  /// The list, item or photo, with its `index` and the `receipt`.
  case resource
  /// The same with the resource's validator; PUT must not give one where what it stored was
  /// trimmed first (RFC 9110 §9.3.4).
  case taggedResource
  /// A navigator with its bars, and what a pop took off if it was one.
  case navigator(ScreenStyle, isPop: Bool)
  /// 204.
  case nothing
}

import HTTP
import Inventory
import Navigation

extension APIHandler {
  /// Reads one committed revision. Answers now, or later if the store reads on another thread.
  func read(
    _ cost: ReadCost, _ request: RequestContext,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Response
  ) -> Reply {
    let store = store
    let result = session.read(cost, as: request.caller, for: request.requester, body) { result in
      request.send(request.response(to: store.released(result, to: request.caller)) { $0 })
    }
    return result.map { .now(request.response(to: $0) { $0 }) } ?? .later
  }

  /// Submits a write. The response is sent when the write is durable.
  ///
  /// - Parameters:
  ///   - caller: the request's caller by default; another one if the path names an inventory.
  ///   - demandsIfMatch: whether the write needs `If-Match`. A replayed request does not.
  func write(
    _ command: Command, as caller: Caller? = nil, showing: ResponseStyle = .receipt,
    isStrict: Bool = false, demandsIfMatch: Bool = false,
    _ request: RequestContext
  ) throws(Problem) -> Reply {
    var context = WriteContext(
      caller: caller ?? request.caller, requestID: request.context.requestID,
      ifMatch: try request.ifMatch(), ifNoneMatch: try request.ifNoneMatch(),
      demandsIfMatch: demandsIfMatch, isStrict: isStrict,
      retry: try request.retry { request.response($0, showing) },
      bodySize: request.body.count)
    context.isGone = request.requester.isGone
    store.submit(command, context) { result in
      request.send(request.response(to: result, showing))
    }
    return .later
  }
}

/// The body of a write's response.
enum ResponseStyle: Sendable {
  case receipt
  /// The list, item or photo, with its `index` and the `receipt`.
  case resource
  /// The resource with its entity tag. PUT may send a tag only if the server stored the body unchanged
  /// (RFC 9110 §9.3.4), so not if it trimmed a text.
  case taggedResource
  /// A navigator with its bars, and the removed screen if it was a pop.
  case navigator(ScreenStyle, isPop: Bool)
  /// No body: status 204.
  case nothing
}

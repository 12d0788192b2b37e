import HTTP
import Inventory
import JSON
import Navigation

extension APIHandler {
  func answer(_ endpoint: Endpoint, _ exchange: Exchange) throws(Problem) -> Reply {
    switch endpoint {
    case .health: health(exchange)
    case .readiness: readiness(exchange)
    case .metrics: try metrics(exchange)
    case .about: try about(exchange)
    case .texts: try texts(exchange)
    case .problems: problems(exchange)
    case .problem(let code): try problem(code, exchange)
    case .file(let file): self.file(file, exchange)
    case .resolve: try resolve(exchange)
    case .rewind(let call): try rewind(call, exchange)
    case .search: try search(exchange)
    case .tags: try tags(exchange)

    case .whoAmI: try whoAmI(exchange)
    case .tokens: try tokens(exchange)
    case .createToken: try createToken(exchange)
    case .token(let token): try self.token(token, exchange)
    case .revokeToken(let token): try revokeToken(token, exchange)
    case .inventories: try inventories(exchange)
    case .createInventory: try createInventory(exchange)
    case .inventory(let id): try inventory(id, exchange)
    case .editInventory(let id): try editInventory(id, exchange)

    case .lists: try lists(exchange)
    case .createList: try createList(exchange)
    case .list(let list): try self.list(list, exchange)
    case .editList(let list): try editList(list, exchange)
    case .deleteList(let list): try deleteList(list, exchange)
    case .listPath(let list): try listPath(list, exchange)

    case .changes(let list): try changes(of: list, exchange)
    case .listEvents(let list): try events(of: list, exchange)
    case .events: try events(of: nil, exchange)

    case .rows(let list): try rows(of: list, exchange)
    case .moveRow(let list): try moveRow(in: list, exchange)
    case .moveTarget(let list): try moveTarget(in: list, exchange)
    case .moveRows(let list): try moveRows(into: list, exchange)
    case .reorder(let list): try reorder(list, exchange)
    case .batch(let list): try batch(in: list, exchange)
    case .deleteRowAt(let list, let index): try deleteRow(of: list, at: index, exchange)
    case .place(let row): try place(of: row, exchange)
    case .relocate(let row): try relocate(row, exchange)
    case .deleteRow(let row): try delete(try self.row(row, exchange), .any, exchange)

    case .createItem(let list): try createItem(in: list, exchange)
    case .createRandomItem(let list): try createRandomItem(in: list, exchange)
    case .item(let item): try self.item(item, exchange)
    case .editItem(let item): try editItem(item, exchange)
    case .replaceItem(let item): try replaceItem(item, exchange)
    case .deleteItem(let item): try delete(RowID(item), .item, exchange)
    case .makeContents(let item): try makeContents(of: item, exchange)
    case .itemPath(let item): try itemPath(item, exchange)

    case .photos(let item): try photos(of: item, exchange)
    case .addPhoto: try addNoPhoto(exchange)
    case .reorderPhotos(let item): try reorderPhotos(of: item, exchange)
    case .photo(let photo, let item): try self.photo(photo, of: item, exchange)
    case .deletePhoto(let photo, let item): try deletePhoto(photo, of: item, exchange)

    case .listScreen(let list): try screen(of: list, exchange)
    case .itemScreen(let item): try screen(of: item, exchange)
    case .photosScreen(let item): try photosScreen(of: item, exchange)
    case .aboutScreen: try aboutScreen(exchange)
    case .neighbours(let item): try neighbours(of: item, exchange)
    case .navigators: try navigators(exchange)
    case .createNavigator: try createNavigator(exchange)
    case .navigator(let id, let call): try navigate(id, call, exchange)
    case .appearance: try appearance(exchange)
    case .setAppearance: try setAppearance(exchange)

    case .trash: try trash(exchange)
    case .restore(let row): try restore(row, exchange)
    case .purge(let row): try purge(row, exchange)
    case .log: try log(exchange)
    case .change(let revision): try change(revision, exchange)
    case .undo(let revision): try undo(revision, exchange)

    case .exportInventory: try exportInventory(exchange)
    case .importInventory: try importNothing(exchange)
    case .exportTable(let list): try exportTable(of: list, exchange)
    case .importTable(let list): try importTable(into: list, exchange)
    }
  }

  /// Reads on one committed revision and answers, now or when the store has done it.
  func read(
    _ cost: ReadCost, _ exchange: Exchange,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Response
  ) -> Reply {
    @Sendable func answer(_ result: Result<Response, InventoryError>) -> Response {
      switch result {
      case .success(let response): response
      case .failure(let error): exchange.audience.response(exchange.problem(error))
      }
    }
    let store = store
    let result = session.read(cost, for: exchange.requester, body) { result in
      exchange.responder.send(answer(store.released(result, to: exchange.caller)))
    }
    return result.map { .response(answer($0)) } ?? .deferred
  }

  /// What a write's answer shows.
  enum Showing: Sendable {
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

  /// Submits a write; its answer comes when it is durable.
  ///
  /// - Parameters:
  ///   - caller: whoever asks, unless the path names another inventory.
  ///   - demandsIfMatch: whether it is refused without `If-Match`, unless it is sent again.
  func write(
    _ command: Command, as caller: Caller? = nil, showing: Showing = .receipt,
    isStrict: Bool = false, demandsIfMatch: Bool = false,
    _ exchange: Exchange
  ) throws(Problem) -> Reply {
    let context = WriteContext(
      caller: caller ?? exchange.caller, requestID: exchange.audience.requestID,
      ifMatch: try exchange.ifMatch(), ifNoneMatch: try exchange.ifNoneMatch(),
      demandsIfMatch: demandsIfMatch, isStrict: isStrict,
      retry: try exchange.retry { exchange.response($0, showing) })
    store.submit(command, context) { result in
      exchange.responder.send(exchange.response(to: result, showing))
    }
    return .deferred
  }
}

import HTTP
import Inventory
import JSON

extension RequestContext {
  /// The response to a write: its own, or the stored one of the first request with its key.
  func response(
    to result: Result<Outcome, InventoryError>, _ showing: ResponseStyle
  ) -> Response {
    response(to: result) { $0.kept.flatMap(replayed) ?? response($0, showing) }
  }

  /// The stored response of a repeated request. Nil for a first request.
  func replayed(_ kept: StoredResponse) -> Response? {
    guard kept.isReplayed else { return nil }
    return Response.replayed(kept.bytes, for: context)
      ?? context.response(problem(.storageFailed("an answer that was kept cannot be read")))
  }

  func response(_ outcome: Outcome, _ showing: ResponseStyle) -> Response {
    let receipt = outcome.receipt
    let isNothing = if case .nothing = showing { true } else { false }
    let isMinimal = prefersMinimal && !isNothing
    let isEmpty = isMinimal || isNothing
    var response =
      isEmpty
      ? context.empty(204)
      : context.response(outcome.isCreated ? 201 : 200, json: body(of: outcome, showing))
    if isMinimal { response.fields.append("Preference-Applied", "return=minimal") }
    response.fields.append("Rowhouse-Revision", String(receipt.revision.number))
    guard let resource = outcome.resource else { return response }
    if outcome.isCreated { response.fields.append("Location", context.base.path(resource.path)) }
    switch (resource, showing) {
    case (.navigator(let navigator, _), _):
      response.fields.append("ETag", "\"\(context.tag(navigator, at: receipt.revision))\"")
    case (.inventory(let inventory), _):
      response.fields.append("ETag", "\"\(context.tag(inventory))\"")
    case (.appearance, _), (_, .taggedResource):
      response.fields.append("ETag", "\"\(context.tag(resource.revision))\"")
    default: break
    }
    return response
  }

  private func body(of outcome: Outcome, _ showing: ResponseStyle) -> [UInt8] {
    JSONWriter.bytes { writer in
      if let results = outcome.results {
        return writer.batch(results, outcome.receipt, for: context)
      }
      switch (outcome.resource, showing) {
      case (nil, _), (_, .receipt): writer.receipt(outcome.receipt, for: context)
      case (.navigator(let navigator, let edit), .navigator(let style, let isPop)):
        writer.navigator(
          navigator, edit.subjects, popped: isPop ? .some(edit.popped) : nil, for: context, style)
      case (.appearance(let appearance), _):
        writer.appearance(appearance, in: context.language)
      case (.inventory(let inventory), _): writer.object { $0.inventoryMembers(inventory) }
      case (let resource?, _):
        writer.object { writer in
          writer.resourceMembers(resource, for: context)
          writer.key("receipt")
          writer.receipt(outcome.receipt, for: context)
        }
      }
    }
  }
}

extension Outcome.Resource {
  fileprivate var path: String {
    switch self {
    case .list(let list, _): "/v1/lists/\(list.id)"
    case .item(let item, _): "/v1/items/\(item.id)"
    case .photo(let photo, let item, _): "/v1/items/\(item)/photos/\(photo.id)"
    case .navigator(let navigator, _): "/v1/navigators/\(navigator.id)"
    case .appearance: "/v1/appearance"
    case .inventory(let inventory): "/v1/inventories/\(inventory.id)"
    }
  }

  fileprivate var revision: Revision {
    switch self {
    case .list(let list, _): list.revision
    case .item(let item, _): item.revision
    case .photo(let photo, _, _): photo.revision
    case .navigator(let navigator, _): Revision(navigator.version)
    case .appearance(let appearance): Revision(appearance.version)
    case .inventory(let inventory): inventory.revision
    }
  }
}

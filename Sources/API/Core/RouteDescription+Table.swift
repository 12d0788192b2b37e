import WebApp

extension RouteDescription {
  /// Every route; HEAD goes where GET does, and OPTIONS everywhere.
  static let table = described + files

  /// Those that the contract describes.
  static let described: [RouteDescription] =
    service + administration + lists + changes + rows + items + photos + transfer + history
    + screens
    + navigators
    + rewinding

  private static let files = WebFile.all.map { RouteDescription($0) }

  /// There only in test mode.
  private static let rewinding: [RouteDescription] = [
    RouteDescription(.post, "/v1/test/reset", body: .optional) { _ in .rewind(.reset) },
    RouteDescription(.post, "/v1/test/snapshot", body: .optional) { _ in .rewind(.snapshot) },
    RouteDescription(.post, "/v1/test/restore", body: .optional) { _ in .rewind(.restore) },
  ]

  private static let page = ["limit", "offset", "after"]

  private static let service: [RouteDescription] = [
    RouteDescription(.get, "/healthz", isPublic: true) { _ in .health },
    RouteDescription(.get, "/readyz", isPublic: true) { _ in .readiness },
    RouteDescription(.get, "/openapi.json", isPublic: true) { _ in .file(OpenAPIDocument.file) },
    RouteDescription(.get, "/metrics") { _ in .metrics },
    RouteDescription(.get, "/v1/about") { _ in .about },
    RouteDescription(.get, "/v1/texts", isPublic: true) { _ in .texts },
    RouteDescription(.get, "/problems", isPublic: true) { _ in .problems },
    RouteDescription(.get, "/problems/{code}", isPublic: true) { .problem(code: $0.code) },
    RouteDescription(.get, "/v1/resolve", parameters: ["path"]) { _ in .resolve },
    RouteDescription(
      .get, "/v1/search", parameters: ["q", "listId", "kind", "tag", "limit", "offset"]
    ) { _ in .search },
    RouteDescription(.get, "/v1/tags", parameters: ["prefix", "limit", "offset"]) { _ in .tags },
  ]

  private static let administration: [RouteDescription] = [
    RouteDescription(.get, "/v1/me") { _ in .whoAmI },
    RouteDescription(.get, "/v1/tokens") { _ in .tokens },
    RouteDescription(.post, "/v1/tokens", body: .required) { _ in .createToken },
    RouteDescription(.get, "/v1/tokens/{tokenId}") { .token($0.token) },
    RouteDescription(.delete, "/v1/tokens/{tokenId}") { .revokeToken($0.token) },
    RouteDescription(.get, "/v1/inventories") { _ in .inventories },
    RouteDescription(.post, "/v1/inventories", body: .required) { _ in .createInventory },
    RouteDescription(.get, "/v1/inventories/{inventoryId}") { .inventory($0.inventory) },
    RouteDescription(.patch, "/v1/inventories/{inventoryId}", body: .required) {
      .editInventory($0.inventory)
    },
  ]

  private static let lists: [RouteDescription] = [
    RouteDescription(.get, "/v1/lists", parameters: page + ["parentId", "subtree"]) { _ in .lists },
    RouteDescription(.post, "/v1/lists", parameters: ["strict"], body: .required) { _ in
      .createList
    },
    RouteDescription(.get, "/v1/lists/{listId}", parameters: ["subtree"]) { .list($0.list) },
    RouteDescription(.patch, "/v1/lists/{listId}", body: .required) { .editList($0.list) },
    RouteDescription(.delete, "/v1/lists/{listId}", parameters: ["recursive"]) {
      .deleteList($0.list)
    },
    RouteDescription(.get, "/v1/lists/{listId}/path") { .listPath($0.list) },
  ]

  private static let changes: [RouteDescription] = [
    RouteDescription(.get, "/v1/lists/{listId}/changes", parameters: ["since"]) {
      .changes($0.list)
    },
    RouteDescription(.get, "/v1/lists/{listId}/events", parameters: ["since"]) {
      .listEvents($0.list)
    },
    RouteDescription(.get, "/v1/events", parameters: ["since"]) { _ in .events },
  ]

  private static let rows: [RouteDescription] = [
    RouteDescription(
      .get, "/v1/lists/{listId}/rows",
      parameters: page + ["sentinel", "revision", "sort", "type", "q", "sections"]
    ) { .rows($0.list) },
    RouteDescription(
      .post, "/v1/lists/{listId}/move-row", parameters: ["strict"], body: .required
    ) { .moveRow($0.list) },
    RouteDescription(
      .get, "/v1/lists/{listId}/move-target", parameters: ["from", "to", "strict"]
    ) { .moveTarget($0.list) },
    RouteDescription(
      .post, "/v1/lists/{listId}/move-rows", parameters: ["strict"], body: .required
    ) { .moveRows($0.list) },
    RouteDescription(.post, "/v1/lists/{listId}/reorder", body: .requiredLarge) {
      .reorder($0.list)
    },
    RouteDescription(
      .post, "/v1/lists/{listId}/batch", parameters: ["recursive"], body: .required
    ) { .batch($0.list) },
    RouteDescription(
      .delete, "/v1/lists/{listId}/rows/{index}", parameters: ["id", "recursive"]
    ) { .deleteRowAt($0.list, index: $0.index) },
    RouteDescription(.get, "/v1/rows/{rowId}") { .place($0.row) },
    RouteDescription(
      .post, "/v1/rows/{rowId}/move", parameters: ["strict"], body: .required
    ) { .relocate($0.row) },
    RouteDescription(.delete, "/v1/rows/{rowId}", parameters: ["recursive"]) {
      .deleteRow($0.row)
    },
  ]

  private static let items: [RouteDescription] = [
    RouteDescription(
      .post, "/v1/lists/{listId}/items", parameters: ["strict"], body: .required
    ) { .createItem($0.list) },
    RouteDescription(
      .post, "/v1/lists/{listId}/items/random", parameters: ["strict"], body: .optional
    ) { .createRandomItem($0.list) },
    RouteDescription(.get, "/v1/items/{itemId}") { .item($0.item) },
    RouteDescription(.patch, "/v1/items/{itemId}", body: .required) { .editItem($0.item) },
    RouteDescription(.put, "/v1/items/{itemId}", body: .required) { .replaceItem($0.item) },
    RouteDescription(.delete, "/v1/items/{itemId}", parameters: ["recursive"]) {
      .deleteItem($0.item)
    },
    RouteDescription(.post, "/v1/items/{itemId}/contents", body: .optional) {
      .makeContents($0.item)
    },
    RouteDescription(.get, "/v1/items/{itemId}/path") { .itemPath($0.item) },
  ]

  private static let photos: [RouteDescription] = [
    RouteDescription(.get, "/v1/items/{itemId}/photos") { .photos($0.item) },
    RouteDescription(
      .post, "/v1/items/{itemId}/photos", parameters: ["id"], body: .image
    ) { .addPhoto($0.item) },
    RouteDescription(.post, "/v1/items/{itemId}/photos/reorder", body: .required) {
      .reorderPhotos($0.item)
    },
    RouteDescription(.get, "/v1/items/{itemId}/photos/{photoId}") {
      .photo($0.photo, of: $0.item)
    },
    RouteDescription(.delete, "/v1/items/{itemId}/photos/{photoId}") {
      .deletePhoto($0.photo, of: $0.item)
    },
  ]

  private static let history: [RouteDescription] = [
    RouteDescription(.get, "/v1/trash", parameters: page) { _ in .trash },
    RouteDescription(.delete, "/v1/trash/{rowId}") { .purge($0.row) },
    RouteDescription(
      .post, "/v1/trash/{rowId}/restore", parameters: ["strict"], body: .optional
    ) { .restore($0.row) },
    RouteDescription(.get, "/v1/changes", parameters: ["since", "before", "limit", "offset"]) { _ in
      .log
    },
    RouteDescription(.get, "/v1/changes/{revision}") { .change($0.revision) },
    RouteDescription(.post, "/v1/changes/{revision}/undo") { .undo($0.revision) },
  ]

  private static let transfer: [RouteDescription] = [
    RouteDescription(.get, "/v1/export", parameters: ["listId"]) { _ in .exportInventory },
    RouteDescription(
      .post, "/v1/import", parameters: ["mode", "dryRun", "listId"], body: .streamed
    ) { _ in .importInventory },
    RouteDescription(.get, "/v1/lists/{listId}/rows.csv") { .exportTable($0.list) },
    RouteDescription(
      .post, "/v1/lists/{listId}/rows.csv", parameters: ["dryRun", "unknownColumns", "locations"],
      body: .table
    ) { .importTable($0.list) },
  ]
}

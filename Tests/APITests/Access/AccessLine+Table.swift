extension AccessLine {
  /// A request for each route, and who may make it.
  static let table: [AccessLine] =
    service + administration + lists + rows + items + photos + history + sync + screens
    + navigators + testing

  private static let service = [
    AccessLine("GET /healthz", .everybody),
    AccessLine("GET /readyz", .everybody),
    AccessLine("GET /problems", .everybody),
    AccessLine("GET /problems/{code}", .everybody),
    AccessLine("GET /openapi.json", .everybody),
    AccessLine("GET /v1/texts", .everybody),
    AccessLine("GET /v1/start", .role(.reader)),
    AccessLine("GET /l/{listId}", .everybody),
    AccessLine("GET /i/{itemId}", .everybody),
    AccessLine("GET /i/{itemId}/photos/{index}", .everybody),
    AccessLine("GET /about", .everybody),
    AccessLine("GET /metrics", .role(.admin)),
    AccessLine("GET /v1/about", .role(.reader)),
    AccessLine("GET /v1/resolve", .fromTheTop(.reader), "?path=/Shelf/Drawer"),
    AccessLine("GET /v1/search", .named(.reader), "?q=lamp&listId=LIST"),
    AccessLine("GET /v1/tags", .role(.reader)),
    AccessLine("GET /v1/items", .role(.reader), "?tag=red"),
    AccessLine("GET /v1/export", .named(.reader), "?listId=LIST"),
    AccessLine(
      "POST /v1/import", .named(.editor), "?listId=LIST", body: export,
      type: "application/x-ndjson"),
    AccessLine(
      "POST /v1/import", .whole(.owner), "?mode=replace", body: export,
      type: "application/x-ndjson"),
  ]

  private static let administration = [
    AccessLine("GET /v1/me", .role(.reader)),
    AccessLine("GET /v1/tokens", .role(.owner)),
    AccessLine(
      "POST /v1/tokens", .roleBeforeName(.owner), "", 201,
      body: #"{"name": "Sam", "role": "reader", "listId": "LIST"}"#),
    AccessLine("GET /v1/tokens/{tokenId}", .roleBeforeName(.owner)),
    AccessLine(
      "PATCH /v1/tokens/{tokenId}", .roleBeforeName(.owner), body: #"{"name": "Kim"}"#),
    AccessLine(
      "POST /v1/invitations", .roleBeforeName(.owner), "", 201,
      body: #"{"role": "reader", "listId": "LIST"}"#),
    AccessLine("GET /v1/invitations", .role(.owner)),
    AccessLine("DELETE /v1/invitations/{invitationId}", .role(.owner), "", 404),
    AccessLine(
      "POST /v1/invitations/preview", .everybody, "", 404,
      body: #"{"code": "rh_00000000000000000000000000000000"}"#),
    AccessLine(
      "POST /v1/invitations/accept", .everybody, "", 404,
      body: #"{"code": "rh_00000000000000000000000000000000", "deviceName": "Phone"}"#),
    AccessLine("DELETE /v1/tokens/{tokenId}", .roleBeforeName(.owner), "", 204),
    AccessLine("GET /v1/inventories", .role(.admin)),
    AccessLine("POST /v1/inventories", .role(.admin), "", 201, body: #"{"title": "Third"}"#),
    AccessLine("GET /v1/inventories/{inventoryId}", .fromTheTop(.reader)),
    AccessLine(
      "PATCH /v1/inventories/{inventoryId}", .fromTheTop(.owner), body: #"{"depthLimit": 9}"#),
  ]

  /// Outside of test mode.
  private static let testing = [
    AccessLine("POST /v1/test/reset", .absent),
    AccessLine("POST /v1/test/snapshot", .absent),
    AccessLine("POST /v1/test/restore", .absent),
    AccessLine("GET /v1/test/faults", .absent),
    AccessLine("POST /v1/test/faults", .absent, body: #"{"rules": []}"#),
    AccessLine("DELETE /v1/test/faults", .absent),
    AccessLine("GET /v1/test/clock", .absent),
    AccessLine("POST /v1/test/clock", .absent, body: #"{"advance": 1}"#),
    AccessLine("GET /v1/test/requests", .absent),
    AccessLine("DELETE /v1/test/requests", .absent),
  ]

  private static let lists = [
    AccessLine("GET /v1/lists", .named(.reader), "?parentId=LIST&subtree=true"),
    AccessLine(
      "POST /v1/lists", .named(.editor), "", 201, body: #"{"title": "Box", "parentId": "LIST"}"#),
    AccessLine("GET /v1/lists/{listId}", .named(.reader), "?subtree=true"),
    AccessLine("PATCH /v1/lists/{listId}", .named(.editor), body: #"{"title": "Box"}"#),
    AccessLine("DELETE /v1/lists/{listId}", .named(.editor), "?recursive=true"),
    AccessLine("GET /v1/lists/{listId}/path", .named(.reader)),
    AccessLine("GET /v1/lists/{listId}/changes", .named(.reader), "?since=20"),
    AccessLine("GET /v1/lists/{listId}/events", .named(.reader), "?since=0"),
    AccessLine("GET /v1/events", .role(.reader), "?since=0"),
  ]

  private static let rows = [
    AccessLine("GET /v1/lists/{listId}/rows", .named(.reader)),
    AccessLine(
      "POST /v1/lists/{listId}/move-row", .named(.editor), body: #"{"from": 0, "to": 1}"#),
    AccessLine("GET /v1/lists/{listId}/move-target", .named(.reader), "?from=0&to=1"),
    AccessLine(
      "POST /v1/lists/{listId}/move-rows", .named(.editor),
      body: #"{"ids": ["ITEM"], "position": {"after": "OTHER"}}"#),
    AccessLine("POST /v1/lists/{listId}/reorder", .named(.editor), body: #"{"sort": "title"}"#),
    AccessLine(
      "POST /v1/lists/{listId}/batch", .named(.editor), body: #"{"deletes": [{"id": "OTHER"}]}"#),
    AccessLine(
      "DELETE /v1/lists/{listId}/rows/{index}", .named(.editor), "?id=ITEM&recursive=true"),
    AccessLine("GET /v1/lists/{listId}/rows.csv", .named(.reader)),
    AccessLine(
      "POST /v1/lists/{listId}/rows.csv", .named(.editor), body: "id,name\nOTHER,Orb\n",
      type: "text/csv"),
    AccessLine("GET /v1/rows/{rowId}", .named(.reader)),
    AccessLine(
      "POST /v1/rows/{rowId}/move", .named(.editor),
      body: #"{"listId": "LIST", "position": {"before": "OTHER"}}"#),
    AccessLine("DELETE /v1/rows/{rowId}", .named(.editor), "?recursive=true"),
  ]

  private static let items = [
    AccessLine(
      "POST /v1/lists/{listId}/items", .named(.editor), "", 201, body: #"{"name": "Cup"}"#),
    AccessLine("POST /v1/lists/{listId}/items/random", .named(.editor), "", 201),
    AccessLine("GET /v1/items/{itemId}", .named(.reader)),
    AccessLine("PATCH /v1/items/{itemId}", .named(.editor), body: #"{"name": "Cup"}"#),
    AccessLine("PUT /v1/items/{itemId}", .named(.editor), body: #"{"name": "Cup"}"#),
    AccessLine("DELETE /v1/items/{itemId}", .named(.editor), "?recursive=true"),
    AccessLine("POST /v1/items/{itemId}/contents", .named(.editor)),
    AccessLine("GET /v1/items/{itemId}/path", .named(.reader)),
    AccessLine("GET /v1/items/{itemId}/label", .named(.reader)),
    AccessLine("GET /v1/lists/{listId}/label", .named(.reader)),
  ]

  private static let photos = [
    AccessLine("GET /v1/items/{itemId}/photos", .named(.reader)),
    AccessLine("POST /v1/items/{itemId}/photos", .named(.editor), "", 201, body: photo),
    AccessLine(
      "POST /v1/items/{itemId}/photos/reorder", .named(.editor), body: #"{"ids": ["PHOTO"]}"#),
    AccessLine("GET /v1/items/{itemId}/photos/{photoId}", .named(.reader)),
    AccessLine("DELETE /v1/items/{itemId}/photos/{photoId}", .named(.editor)),
    AccessLine(
      "PUT /v1/items/{itemId}/photos/{photoId}/renditions/{size}", .named(.editor), "", 204,
      body: rendition),
  ]

  private static let history = [
    AccessLine("GET /v1/trash", .role(.reader)),
    AccessLine("DELETE /v1/trash/{rowId}", .named(.editor), "", 204, row: "TRASHED"),
    AccessLine(
      "POST /v1/trash/{rowId}/restore", .named(.editor),
      body: #"{"listId": "LIST", "position": {"after": "OTHER"}}"#, row: "TRASHED"),
    AccessLine("GET /v1/changes", .role(.reader), "?since=0"),
    AccessLine("GET /v1/changes/{revision}", .named(.reader)),
    AccessLine("POST /v1/changes/{revision}/undo", .named(.editor)),
  ]

  /// A command whose row is out of sight is refused on its own.
  private static let sync = [
    AccessLine(
      "POST /v1/sync", .role(.editor),
      body: """
        {"clientId": "c0000000-0000-4000-8000-000000000001", "commands": [
        {"sequence": 1, "type": "delete", "id": "ITEM", "recursive": true}]}
        """)
  ]

  private static let screens = [
    AccessLine("GET /v1/lists/{listId}/screen", .named(.reader), "?limit=50"),
    AccessLine("GET /v1/items/{itemId}/screen", .named(.reader)),
    AccessLine("GET /v1/items/{itemId}/photos/screen", .named(.reader)),
    AccessLine("GET /v1/about/screen", .role(.reader)),
    AccessLine("GET /v1/items/{itemId}/neighbours", .named(.reader)),
    AccessLine("GET /v1/appearance", .role(.reader)),
    AccessLine(
      "PUT /v1/appearance", .whole(.owner),
      body: """
        {"navigationBar": "#ffffff", "toolbar": "#ffffff", "tabBar": "#ffffff",
        "button": "#000000", "title": "#000000"}
        """),
  ]

  /// Callers see only their own navigators, whatever their role.
  private static let navigators = [
    AccessLine("GET /v1/navigators", .role(.reader)),
    AccessLine("POST /v1/navigators", .named(.reader), "", 201, body: tabs),
    AccessLine("GET /v1/navigators/{navigatorId}", .role(.reader)),
    AccessLine("PATCH /v1/navigators/{navigatorId}", .role(.reader), body: #"{"name": "Pad"}"#),
    AccessLine("DELETE /v1/navigators/{navigatorId}", .role(.reader), "", 204),
    AccessLine(
      "POST /v1/navigators/{navigatorId}/push", .named(.reader),
      body: #"{"screen": {"listId": "LIST"}}"#),
    AccessLine("POST /v1/navigators/{navigatorId}/pop", .role(.reader)),
    AccessLine("POST /v1/navigators/{navigatorId}/pop-to", .role(.reader), body: #"{"index": 0}"#),
    AccessLine("POST /v1/navigators/{navigatorId}/pop-to-root", .role(.reader)),
    AccessLine(
      "PUT /v1/navigators/{navigatorId}/stack", .named(.reader),
      body: #"{"stack": [{"listId": "root"}, {"listId": "LIST"}, {"itemId": "ITEM"}]}"#),
    AccessLine(
      "POST /v1/navigators/{navigatorId}/open", .named(.reader), body: #"{"itemId": "ITEM"}"#),
    AccessLine(
      "POST /v1/navigators/{navigatorId}/select-tab", .role(.reader), body: #"{"tab": "b"}"#),
    AccessLine("PUT /v1/navigators/{navigatorId}/tabs", .named(.reader), body: tabs),
    AccessLine(
      "POST /v1/navigators/{navigatorId}/tabs/reorder", .role(.reader),
      body: #"{"ids": ["b", "a"]}"#),
    AccessLine(
      "PATCH /v1/navigators/{navigatorId}/top", .role(.reader), body: #"{"state": {"y": 1}}"#),
  ]

  private static let tabs =
    #"{"tabs": [{"id": "a", "stack": [{"listId": "root"}, {"listId": "LIST"}]}]}"#
}

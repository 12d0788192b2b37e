extension RouteDescription {
  static let screens: [RouteDescription] = [
    RouteDescription(
      .get, "/v1/lists/{listId}/screen",
      parameters: ["mode", "kind", "row", "limit", "backTitleLimit"]
    ) { .listScreen($0.list) },
    RouteDescription(
      .get, "/v1/items/{itemId}/screen", parameters: ["mode", "backTitleLimit"]
    ) { .itemScreen($0.item) },
    RouteDescription(
      .get, "/v1/items/{itemId}/photos/screen", parameters: ["backTitleLimit"]
    ) { .photosScreen($0.item) },
    RouteDescription(.get, "/v1/about/screen", parameters: ["backTitleLimit"]) { _ in
      .aboutScreen
    },
    RouteDescription(.get, "/v1/items/{itemId}/neighbours", parameters: ["direction"]) {
      .neighbours($0.item)
    },
    RouteDescription(.get, "/v1/appearance") { _ in .appearance },
    RouteDescription(.put, "/v1/appearance", body: .required) { _ in .setAppearance },
  ]

  private static let drawing = ["backTitleLimit"]

  static let navigators: [RouteDescription] = [
    RouteDescription(.get, "/v1/navigators", parameters: ["name"]) { _ in .navigators },
    RouteDescription(.post, "/v1/navigators", parameters: drawing, body: .optional) { _ in
      .createNavigator
    },
    RouteDescription(
      .get, "/v1/navigators/{navigatorId}", parameters: drawing + ["restore"]
    ) { .navigator($0.navigator, .show) },
    RouteDescription(
      .patch, "/v1/navigators/{navigatorId}", parameters: drawing, body: .required
    ) { .navigator($0.navigator, .edit) },
    RouteDescription(.delete, "/v1/navigators/{navigatorId}") { .navigator($0.navigator, .delete) },
    RouteDescription(
      .post, "/v1/navigators/{navigatorId}/push", parameters: drawing, body: .required
    ) { .navigator($0.navigator, .push) },
    RouteDescription(
      .post, "/v1/navigators/{navigatorId}/pop", parameters: drawing, body: .optional
    ) { .navigator($0.navigator, .pop) },
    RouteDescription(
      .post, "/v1/navigators/{navigatorId}/pop-to", parameters: drawing, body: .required
    ) { .navigator($0.navigator, .popTo) },
    RouteDescription(
      .post, "/v1/navigators/{navigatorId}/pop-to-root", parameters: drawing, body: .optional
    ) { .navigator($0.navigator, .popToRoot) },
    RouteDescription(
      .put, "/v1/navigators/{navigatorId}/stack", parameters: drawing, body: .required
    ) { .navigator($0.navigator, .setStack) },
    RouteDescription(
      .post, "/v1/navigators/{navigatorId}/open", parameters: drawing, body: .required
    ) { .navigator($0.navigator, .open) },
    RouteDescription(
      .post, "/v1/navigators/{navigatorId}/select-tab", parameters: drawing, body: .required
    ) { .navigator($0.navigator, .selectTab) },
    RouteDescription(
      .put, "/v1/navigators/{navigatorId}/tabs", parameters: drawing, body: .required
    ) { .navigator($0.navigator, .setTabs) },
    RouteDescription(
      .post, "/v1/navigators/{navigatorId}/tabs/reorder", parameters: drawing, body: .required
    ) { .navigator($0.navigator, .reorderTabs) },
    RouteDescription(
      .patch, "/v1/navigators/{navigatorId}/top", parameters: drawing, body: .required
    ) { .navigator($0.navigator, .editTop) },
  ]
}

extension Rowhouse {
  /// A new place for a device, with one tab on the root list.
  public func createNavigator(
    name: String? = nil, copyOf other: Navigator.ID? = nil
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators", json: NavigatorDraft(name: name, copyOf: other)))
  }

  /// The caller's navigators, or those of a name: how a device finds the one that it left.
  public func navigators(
    named name: String? = nil
  ) async throws(RowhouseError) -> [NavigatorSummary] {
    let navigators: Navigators = try await answer(.get("/v1/navigators", [("name", name)]))
    return navigators.navigators
  }

  /// Names a navigator.
  ///
  /// - Parameters:
  ///   - navigator: which one.
  ///   - name: nil: none.
  @discardableResult
  public func rename(
    _ navigator: Navigator.ID, to name: String?
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("PATCH", "/v1/navigators/\(navigator)", json: NavigatorEdit(name: Edit(name))))
  }

  /// A navigator, ready to draw.
  ///
  /// - Parameters:
  ///   - id: which one.
  ///   - restoring: leaves momentary screens out, as after a start.
  public func navigator(
    _ id: Navigator.ID, restoring: Bool = false
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .get("/v1/navigators/\(id)", [("restore", restoring ? "true" : nil)]))
  }

  /// Puts a screen on top of the selected tab's stack.
  @discardableResult
  public func push(
    _ screen: ScreenReference, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/push", json: ["screen": screen]))
  }

  /// Goes back by one screen; at the first one nothing happens.
  @discardableResult
  public func pop(in navigator: Navigator.ID) async throws(RowhouseError) -> Navigator {
    try await answer(.write("POST", "/v1/navigators/\(navigator)/pop"))
  }

  /// Goes back to the first screen.
  @discardableResult
  public func popToRoot(in navigator: Navigator.ID) async throws(RowhouseError) -> Navigator {
    try await answer(.write("POST", "/v1/navigators/\(navigator)/pop-to-root"))
  }

  /// Goes down to the screen at an index of the stack.
  @discardableResult
  public func pop(
    to index: Int, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/pop-to", json: ["index": index]))
  }

  /// Goes down to a screen, the nearest to the top where it stands twice, whatever its mode and state.
  @discardableResult
  public func pop(
    to screen: ScreenReference, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/pop-to", json: ["screen": screen]))
  }

  /// Sets the selected tab's stack whole, the first screen first.
  @discardableResult
  public func setStack(
    _ stack: [ScreenReference], in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("PUT", "/v1/navigators/\(navigator)/stack", json: ["stack": stack]))
  }

  /// Jumps to a list, with the way down to it below.
  @discardableResult
  public func open(
    _ list: List.ID, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/open", json: ["listId": list]))
  }

  /// Jumps to an item, with the way down to it below.
  @discardableResult
  public func open(
    _ item: Item.ID, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/open", json: ["itemId": item]))
  }

  /// Keeps where the top screen is scrolled to.
  @discardableResult
  public func keep(
    _ state: JSONValue, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("PATCH", "/v1/navigators/\(navigator)/top", json: ["state": state]))
  }

  /// Gives a device's place up.
  public func deleteNavigator(_ navigator: Navigator.ID) async throws(RowhouseError) {
    try await perform(.write("DELETE", "/v1/navigators/\(navigator)"))
  }
}

private struct NavigatorDraft: Encodable {
  var name: String?
  var copyOf: Navigator.ID?
}

private struct NavigatorEdit: Encodable {
  var name: Edit<String>

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
  }

  private enum CodingKeys: String, CodingKey { case name }
}

private struct Navigators: Decodable {
  var navigators: [NavigatorSummary]
}

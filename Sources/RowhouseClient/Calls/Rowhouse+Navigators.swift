extension Rowhouse {
  /// Creates a navigator with one tab on the root list, or a copy of another navigator.
  public func createNavigator(
    name: String? = nil, copyOf other: Navigator.ID? = nil
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators", json: NavigatorDraft(name: name, copyOf: other)))
  }

  /// The caller's navigators, or those with a name. A device finds its last navigator by its name.
  public func navigators(
    named name: String? = nil
  ) async throws(RowhouseError) -> [NavigatorSummary] {
    let navigators: Navigators = try await answer(.get("/v1/navigators", [("name", name)]))
    return navigators.navigators
  }

  /// Renames a navigator.
  ///
  /// - Parameters:
  ///   - navigator: The navigator's id.
  ///   - name: The new name; nil: none.
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
  ///   - id: The navigator's id.
  ///   - restoring: Leaves out momentary screens, as after a restart.
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

  /// Removes the top screen. Does nothing if it is the only one.
  @discardableResult
  public func pop(in navigator: Navigator.ID) async throws(RowhouseError) -> Navigator {
    try await answer(.write("POST", "/v1/navigators/\(navigator)/pop"))
  }

  /// Goes back to the first screen.
  @discardableResult
  public func popToRoot(in navigator: Navigator.ID) async throws(RowhouseError) -> Navigator {
    try await answer(.write("POST", "/v1/navigators/\(navigator)/pop-to-root"))
  }

  /// Goes back to the screen at an index of the stack.
  @discardableResult
  public func pop(
    to index: Int, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/pop-to", json: ["index": index]))
  }

  /// Goes back to a screen, the topmost if it is there twice. Its mode and state do not matter.
  @discardableResult
  public func pop(
    to screen: ScreenReference, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/pop-to", json: ["screen": screen]))
  }

  /// Sets the selected tab's whole stack, the first screen first.
  @discardableResult
  public func setStack(
    _ stack: [ScreenReference], in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("PUT", "/v1/navigators/\(navigator)/stack", json: ["stack": stack]))
  }

  /// Opens a list, with the path down to it as the stack.
  @discardableResult
  public func open(
    _ list: List.ID, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/open", json: ["listId": list]))
  }

  /// Opens an item, with the path down to it as the stack.
  @discardableResult
  public func open(
    _ item: Item.ID, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/open", json: ["itemId": item]))
  }

  /// Saves the state of the top screen, such as its scroll position.
  @discardableResult
  public func keep(
    _ state: JSONValue, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("PATCH", "/v1/navigators/\(navigator)/top", json: ["state": state]))
  }

  /// Deletes a navigator.
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

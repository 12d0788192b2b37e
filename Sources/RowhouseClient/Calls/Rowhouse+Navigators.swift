extension Rowhouse {
  /// Creates a navigator with one tab on the root list, or a copy of another navigator.
  public func createNavigator(
    name: String? = nil, copyOf other: Navigator.ID? = nil
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write(
        "POST", "/v1/navigators",
        json: ["name": name, "copyOf": other?.rawValue].compactMapValues(\.self)))
  }

  /// The caller's navigators, or those with a name. A device finds its last navigator by its name.
  public func navigators(
    named name: String? = nil
  ) async throws(RowhouseError) -> [NavigatorSummary] {
    try await answer(.get("/v1/navigators", [("name", name)]), member: "navigators")
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
      .write("PATCH", "/v1/navigators/\(navigator)", json: ["name": name]))
  }

  /// A navigator, ready to draw.
  ///
  /// - Parameters:
  ///   - id: The navigator's id.
  ///   - restoring: Whether to remove momentary screens, because the app has restarted.
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

  /// Creates a navigator with tabs. The first is selected.
  public func createNavigator(
    name: String? = nil, tabs: [TabDraft]
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators", json: TabbedNavigator(name: name, tabs: tabs)))
  }

  /// Selects a tab. Selecting the selected tab goes back to its first screen.
  @discardableResult
  public func selectTab(
    _ tab: Navigator.Tab.ID, in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/select-tab", json: ["tab": tab]))
  }

  /// Sets all tabs and their order.
  ///
  /// A tab with the id of an existing one keeps that tab's stack, unless its draft has a stack.
  @discardableResult
  public func setTabs(
    _ tabs: [TabDraft], in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(.write("PUT", "/v1/navigators/\(navigator)/tabs", json: ["tabs": tabs]))
  }

  /// Reorders a navigator's tabs. `tabs` contains each tab's id once.
  @discardableResult
  public func reorderTabs(
    _ tabs: [Navigator.Tab.ID], in navigator: Navigator.ID
  ) async throws(RowhouseError) -> Navigator {
    try await answer(
      .write("POST", "/v1/navigators/\(navigator)/tabs/reorder", json: ["ids": tabs]))
  }

  /// Deletes a navigator.
  public func deleteNavigator(_ navigator: Navigator.ID) async throws(RowhouseError) {
    try await perform(.write("DELETE", "/v1/navigators/\(navigator)"))
  }
}

private struct TabbedNavigator: Encodable {
  var name: String?
  var tabs: [TabDraft]
}

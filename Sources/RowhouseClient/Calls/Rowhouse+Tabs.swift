extension Rowhouse {
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
  /// Existing tabs keep their stacks by their ids, unless they are given new ones.
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
}

private struct TabbedNavigator: Encodable {
  var name: String?
  var tabs: [TabDraft]
}

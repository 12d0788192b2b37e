extension Rowhouse {
  /// What happens to a list, or to the whole inventory, from a revision on.
  ///
  /// The stream resumes by itself, behind the last event, whenever the connection is lost; it ends
  /// with ``LiveEvent/gone``, with a refusal, or with the task that reads it. Nothing is missed:
  /// what happened in between comes first.
  ///
  /// - Parameters:
  ///   - list: nil for the inventory.
  ///   - revision: nil: from now on.
  public func events(of list: List.ID? = nil, since revision: Int? = nil) -> LiveEvents {
    LiveEvents(
      rowhouse: self, path: list.map { "/v1/lists/\($0)/events" } ?? "/v1/events",
      since: revision.map { "\($0)" })
  }
}

extension Rowhouse {
  /// The events of a list, or of the whole inventory, from a revision on.
  ///
  /// After a lost connection, the stream resumes by itself after the last event. All missed changes
  /// arrive first. It ends with ``LiveEvent/gone``, with a refusal, or with the task that reads it.
  ///
  /// - Parameters:
  ///   - list: The list; nil: the inventory.
  ///   - revision: The revision after which to start; nil: now.
  public func events(of list: List.ID? = nil, since revision: Int? = nil) -> LiveEvents {
    LiveEvents(
      rowhouse: self, path: list.map { "/v1/lists/\($0)/events" } ?? "/v1/events",
      since: revision.map { "\($0)" })
  }
}

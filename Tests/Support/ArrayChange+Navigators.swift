import Inventory

extension ArrayChange {
  mutating func makeNavigator(
    _ id: NavigatorID, _ make: (any Snapshot) throws(InventoryError) -> NavigatorEdit
  ) throws(InventoryError) -> Outcome {
    try state.requireRoot(of: caller)
    guard try snapshot.navigators(named: nil).count < Limits.navigators else {
      throw .tooManyNavigators(limit: Limits.navigators)
    }
    guard state.navigators[id] == nil else { throw .idTaken(RowID(id.uuid)) }
    let edit = try make(snapshot)
    let navigator = Navigator(
      id: id, details: edit.details, version: 1, createdAt: now, lastUsedAt: now)
    state.navigators[id] = ArrayState.OwnedNavigator(owner: caller.owner, navigator: navigator)
    return outcome(isChanged: true, .navigator(navigator, edit), isCreated: true)
  }

  mutating func editNavigator(
    _ id: NavigatorID,
    _ edit: (NavigatorDetails, any Snapshot) throws(InventoryError) -> NavigatorEdit
  ) throws(InventoryError) -> Outcome {
    var navigator = try snapshot.navigator(id)
    try requireMatch(version: navigator.version)
    let new = try edit(navigator.details, snapshot)
    guard new.details != navigator.details else {
      return outcome(isChanged: false, .navigator(navigator, new))
    }
    navigator.details = new.details
    navigator.version += 1
    navigator.lastUsedAt = now
    state.navigators[id]?.navigator = navigator
    return outcome(isChanged: true, .navigator(navigator, new))
  }

  mutating func deleteNavigator(_ id: NavigatorID) throws(InventoryError) -> Outcome {
    try requireMatch(version: try snapshot.navigator(id).version)
    state.navigators[id] = nil
    return outcome(isChanged: true, nil)
  }

  mutating func setAppearance(_ appearance: Appearance) throws(InventoryError) -> Outcome {
    try state.requireRoot(of: caller)
    try requireWholeInventory()
    try requireMatch(version: state.appearance.version)
    let present = state.appearance
    save(appearance)
    return outcome(isChanged: present != state.appearance, .appearance(state.appearance))
  }

  mutating func save(_ appearance: Appearance) {
    guard appearance != state.appearance.appearance else { return }
    state.appearance = VersionedAppearance(appearance, version: state.appearance.version + 1)
  }

  mutating func editInventory(
    _ edit: (InventoryDescription) throws(InventoryError) -> DepthLimit?
  ) throws(InventoryError) -> Outcome {
    let present = try snapshot.inventory()
    try requireRole(.owner)
    guard context.allows(present.revision) else {
      throw .preconditionFailed(.inventory(present))
    }
    let old = state.depthLimit
    state.depthLimit = try edit(present)
    return outcome(isChanged: state.depthLimit != old, .inventory(try snapshot.inventory()))
  }

  private var snapshot: ArraySnapshot { ArraySnapshot(of: caller, state) }

  private func requireMatch(version: Int64) throws(InventoryError) {
    guard !context.allows(Revision(version)) else { return }
    throw .preconditionFailed(.version(version))
  }

  private func outcome(
    isChanged: Bool, _ resource: Outcome.Resource?, isCreated: Bool = false
  ) -> Outcome {
    Outcome(
      receipt: Receipt(revision: state.revision, isChanged: isChanged), resource: resource,
      isCreated: isCreated)
  }
}

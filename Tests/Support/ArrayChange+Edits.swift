import Inventory

extension ArrayChange {
  mutating func editList(
    _ list: ListReference, _ edit: (ListDetails) throws(InventoryError) -> ListDetails
  ) throws(InventoryError) -> Outcome {
    let list = try state.listID(list, for: caller)
    try requireRole(.editor)
    let old = state[list].details
    let new = try edit(old)
    if old.permissions != new.permissions { try requireRole(.owner) }
    try requireValid(new.fieldErrors)
    try requireMatch(list: list)
    // The parent's row shows the title and the looks. A caller's own root is no row to it.
    if let parent = state.list(list, for: caller).parentID,
      !ListFields(between: old, and: new).isDisjoint(with: .shownByRow)
    {
      try require(.edit, in: parent)
    }
    state[list].details = new
    touch(list)
    let receipt = finish()
    return Outcome(receipt: receipt, resource: resource(list: list))
  }

  mutating func editItem(
    _ item: ItemID, _ edit: (ItemDetails) throws(InventoryError) -> ItemDetails
  ) throws(InventoryError) -> Outcome {
    try state.requireItem(item, for: caller)
    try requireRole(.editor)
    let old = state[item].details
    let new = try edit(old)
    try requireValid(
      fieldErrors(of: new)
        + (new.kind == old.kind ? [] : [FieldError(["kind"], "An item keeps its kind.")]))
    try requireMatch(item: item)
    try require(.edit, in: state[item].list)
    state[item].details = new
    touch(item)
    let receipt = finish()
    return Outcome(receipt: receipt, resource: resource(item: item))
  }
}

import Inventory
import JSON

extension JSONWriter {
  mutating func delta(_ delta: Delta, for audience: Audience) {
    beginObject()
    key("listId")
    id(delta.listID)
    switch delta.content {
    case .resync, .absent:
      key("resync")
      bool(true)
    case .changes(let changes):
      key("fromRevision")
      int(delta.fromRevision.number)
      key("toRevision")
      int(delta.toRevision.number)
      self.changes(changes, for: audience)
    }
    endObject()
  }

  private mutating func changes(_ changes: Delta.Changes, for audience: Audience) {
    let role = audience.caller.role
    key("list")
    if let list = changes.list { changedFields(list, for: audience) } else { null() }
    key("countBefore")
    int(changes.countBefore)
    key("countAfter")
    int(changes.countAfter)
    key("deletes")
    indices(changes.deletes)
    let permissions = changes.permissions.intersection(role.permissions)
    key("inserts")
    rows(changes.inserts, permissions)
    key("moves")
    beginArray()
    for move in changes.moves {
      beginObject()
      key("from")
      int(move.from.value)
      key("to")
      int(move.to.value)
      endObject()
    }
    endArray()
    key("reloads")
    indices(changes.reloads)
    key("reloadsAfter")
    rows(changes.reloadsAfter, permissions)
  }

  private mutating func indices(_ indices: [RowIndex]) {
    beginArray()
    for index in indices { int(index.value) }
    endArray()
  }

  private mutating func rows(_ rows: [Row], _ permissions: Permissions) {
    beginArray()
    for row in rows {
      beginObject()
      key("index")
      int(row.index.value)
      key("row")
      self.row(row, permissions)
      endObject()
    }
    endArray()
  }

  /// Only the fields that changed; with the permissions also what this caller may do.
  private mutating func changedFields(_ changed: Delta.ChangedFields, for audience: Audience) {
    let details = changed.details
    beginObject()
    if changed.fields.contains(.title) {
      key("title")
      string(details.title)
    }
    if changed.fields.contains(.itemKind) {
      key("itemKind")
      string(details.itemKind.rawValue)
    }
    if changed.fields.contains(.permissions) {
      key("permissions")
      permissions(details.permissions)
      key("can")
      permissions(details.permissions.intersection(audience.caller.role.permissions))
    }
    if changed.fields.contains(.sentinel) {
      key("sentinel")
      sentinel(details.sentinel, in: audience.language)
    }
    if changed.fields.contains(.deleteLabel) {
      key("deleteLabel")
      string(details.deleteLabel ?? audience.language.texts.deleteLabel)
    }
    if !changed.fields.isDisjoint(with: [.sentinel, .deleteLabel]) {
      key("dir")
      string(audience.language.texts.direction.rawValue)
    }
    if changed.fields.contains(.parent) {
      key("parentId")
      id(changed.parentID)
    }
    endObject()
  }

  /// The path that undoes a change, or null.
  mutating func undo(of revision: Revision, isUndoable: Bool, for audience: Audience) {
    if isUndoable { string(audience.base.path("/v1/changes/\(revision)/undo")) } else { null() }
  }

  mutating func receipt(_ receipt: Receipt, for audience: Audience) {
    beginObject()
    key("revision")
    int(receipt.revision.number)
    key("changed")
    bool(receipt.isChanged)
    key("retargeted")
    bool(receipt.isRetargeted)
    key("deltas")
    beginArray()
    for delta in receipt.deltas { self.delta(delta, for: audience) }
    endArray()
    key("undo")
    undo(
      of: receipt.revision, isUndoable: receipt.isChanged && receipt.isUndoable, for: audience)
    key("requestId")
    string(audience.requestID)
    endObject()
  }
}

import Inventory
import JSON

extension JSONWriter {
  mutating func delta(_ delta: Delta, for context: ResponseContext) {
    beginObject()
    member("listId", delta.listID)
    switch delta.content {
    case .resync, .absent:
      member("resync", true)
    case .changes(let changes):
      member("fromRevision", delta.fromRevision.number)
      member("toRevision", delta.toRevision.number)
      self.changes(changes, for: context)
    }
    endObject()
  }

  private mutating func changes(_ changes: Delta.Changes, for context: ResponseContext) {
    let role = context.caller.role
    key("list")
    if let list = changes.list { changedFields(list, for: context) } else { null() }
    member("countBefore", changes.countBefore)
    member("countAfter", changes.countAfter)
    key("deletes")
    indices(changes.deletes)
    let permissions = changes.permissions.intersection(role.permissions)
    key("inserts")
    rows(changes.inserts, permissions)
    key("moves")
    beginArray()
    for move in changes.moves {
      beginObject()
      member("from", move.from.value)
      member("to", move.to.value)
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
      member("index", row.index.value)
      key("row")
      self.row(row, permissions)
      endObject()
    }
    endArray()
  }

  /// Writes only the changed fields. Changed permissions include `can`, the caller's own.
  private mutating func changedFields(_ changed: Delta.ChangedFields, for context: ResponseContext)
  {
    let details = changed.details
    beginObject()
    if changed.fields.contains(.title) {
      member("title", details.title)
    }
    if changed.fields.contains(.itemKind) {
      member("itemKind", details.itemKind.rawValue)
    }
    if changed.fields.contains(.permissions) {
      key("permissions")
      permissions(details.permissions)
      key("can")
      permissions(details.permissions.intersection(context.caller.role.permissions))
    }
    if changed.fields.contains(.sentinel) {
      key("sentinel")
      sentinel(details.sentinel, in: context.language)
    }
    if changed.fields.contains(.deleteLabel) {
      member("deleteLabel", details.deleteLabel ?? context.language.texts.deleteLabel)
    }
    if !changed.fields.isDisjoint(with: [.sentinel, .deleteLabel]) {
      member("dir", context.language.texts.direction.rawValue)
    }
    if changed.fields.contains(.parent) {
      member("parentId", changed.parentID)
    }
    endObject()
  }

  /// Writes the path that undoes a change, or null.
  mutating func undo(of revision: Revision, isUndoable: Bool, for context: ResponseContext) {
    if isUndoable { string(context.base.path("/v1/changes/\(revision)/undo")) } else { null() }
  }

  mutating func receipt(_ receipt: Receipt, for context: ResponseContext) {
    beginObject()
    member("revision", receipt.revision.number)
    member("changed", receipt.isChanged)
    member("retargeted", receipt.isRetargeted)
    array("deltas", receipt.deltas) { $0.delta($1, for: context) }
    key("undo")
    undo(
      of: receipt.revision, isUndoable: receipt.isChanged && receipt.isUndoable, for: context)
    member("requestId", context.requestID)
    endObject()
  }
}

import Inventory
import JSON

extension JSONWriter {
  mutating func deltaMembers(_ delta: Delta, for context: ResponseContext) {
    member("listId", delta.listID)
    switch delta.content {
    case .resync, .absent:
      member("resync", true)
    case .changes(let changes):
      member("fromRevision", delta.fromRevision.number)
      member("toRevision", delta.toRevision.number)
      changeMembers(changes, for: context)
    }
  }

  private mutating func changeMembers(_ changes: Delta.Changes, for context: ResponseContext) {
    object("list", changes.list) { $0.changedFields($1, for: context) }
    member("countBefore", changes.countBefore)
    member("countAfter", changes.countAfter)
    array("deletes", changes.deletes) { $0.int($1.value) }
    let permissions = changes.permissions.intersection(context.caller.role.permissions)
    rows("inserts", changes.inserts, permissions)
    objects("moves", changes.moves) { writer, move in
      writer.member("from", move.from.value)
      writer.member("to", move.to.value)
    }
    array("reloads", changes.reloads) { $0.int($1.value) }
    rows("reloadsAfter", changes.reloadsAfter, permissions)
  }

  private mutating func rows(_ name: StaticString, _ rows: [Row], _ permissions: Permissions) {
    objects(name, rows) { writer, row in
      writer.member("index", row.index.value)
      writer.key("row")
      writer.row(row, permissions)
    }
  }

  /// Writes only the changed fields. Changed permissions include `can`, the caller's own.
  private mutating func changedFields(_ changed: Delta.ChangedFields, for context: ResponseContext)
  {
    let details = changed.details
    if changed.fields.contains(.title) {
      member("title", details.title)
    }
    if changed.fields.contains(.itemKind) {
      member("itemKind", details.itemKind.rawValue)
    }
    if changed.fields.contains(.permissions) {
      permissions("permissions", details.permissions)
      permissions("can", details.permissions.intersection(context.caller.role.permissions))
    }
    if changed.fields.contains(.sentinel) {
      sentinel(details.sentinel, in: context.language)
    }
    if changed.fields.contains(.deleteLabel) {
      member("deleteLabel", details.deleteLabel ?? context.language.texts.deleteLabel)
    }
    if !changed.fields.isDisjoint(with: [.sentinel, .deleteLabel]) {
      member("dir", context.language.texts.direction.rawValue)
    }
    if changed.fields.contains(.glyph) { member("glyph", details.glyph) }
    if changed.fields.contains(.colour) { member("colour", details.colour?.rawValue) }
    if changed.fields.contains(.parent) {
      member("parentId", changed.parentID)
    }
  }

  /// Writes the path that undoes a change, or null.
  mutating func undo(of revision: Revision, isUndoable: Bool, for context: ResponseContext) {
    member("undo", isUndoable ? context.base.path("/v1/changes/\(revision)/undo") : nil)
  }

  mutating func receipt(_ receipt: Receipt, for context: ResponseContext) {
    object { writer in
      writer.member("revision", receipt.revision.number)
      writer.member("changed", receipt.isChanged)
      writer.member("retargeted", receipt.isRetargeted)
      writer.objects("deltas", receipt.deltas) { $0.deltaMembers($1, for: context) }
      writer.undo(
        of: receipt.revision, isUndoable: receipt.isChanged && receipt.isUndoable, for: context)
      writer.member("requestId", context.requestID)
    }
  }
}

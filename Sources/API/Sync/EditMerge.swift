import Inventory
import JSON
import Synchronization

/// A three-way merge of one edit. Its inputs are:
///
/// - `patch`: the values that the client sets.
/// - `from`: the values from which the client's edit started.
/// - `old`: the row's details when the store makes the edit.
///
/// Members are compared one by one, also inside of objects. If somebody else has changed a member that `patch` sets,
/// the value of `patch` replaces theirs, because the later arrival wins. Tags are a set, so they are merged one by one:
/// what others have added or removed stays so.
final class EditMerge: Sendable {
  /// What others had changed when the edit was made.
  struct Finding: Sendable {
    /// The values of others that the edit replaced, as a merge patch that brings them back. Empty if there are none.
    var overwritten = JSONObject()
    /// JSON Pointers to members that others have changed, and that the edit does not replace.
    var kept: [String] = []
  }

  private let patch: JSONObject
  private let from: JSONObject
  private let lastFinding = Mutex(Finding())

  /// Nil only after it has noted an error.
  init?(_ members: Members) {
    let patch = members.object("patch", missing: "Send an object.")
    let from = members.object("from", missing: "Send the values that the edit started from.")
    guard let patch, let from else { return nil }
    (self.patch, self.from) = (patch, from)
  }

  /// What the edit found the last time that it was made. The store may make it more than once.
  var finding: Finding { lastFinding.withLock { $0 } }

  func edit(list members: Members) -> Command? {
    let id: ListID? = members.identifier("id", missing: "Send a list's id.")
    guard let id else { return nil }
    let errors = errors(known: ListDetails.writable + ListDetails.readOnly) {
      ListDetails.check(patch: patch, $0)
    }
    let defaults = Language.allCases.flatMap { [$0.texts.sentinel, $0.texts.deleteLabel] }
    return .editList(.id(id)) { [self] (old) throws(InventoryError) in
      try refuse(errors)
      let new = try belowPatch { () throws(InventoryError) in try old.patched(by: patch) }
      compare(patch, old.json, new.json, defaults: defaults)
      return new
    }
  }

  func edit(item members: Members) -> Command? {
    let id: ItemID? = members.identifier("id", missing: "Send an item's id.")
    guard let id else { return nil }
    let errors = errors(known: ItemDetails.writable + ItemDetails.readOnly) {
      ItemDetails.check(patch: patch, $0)
    }
    return .editItem(id) { [self] (old) throws(InventoryError) in
      try refuse(errors)
      let present = try old.json()
      var patch = patch
      let tags = mergedTags(with: present)
      if let tags { patch.set("tags", to: tags) }
      let new = try belowPatch { () throws(InventoryError) in try old.patched(by: patch) }
      // Merged tags replace nothing.
      if tags != nil { patch.remove("tags") }
      compare(patch, present, try new.json(), defaults: [])
      return new
    }
  }

  /// The present tags with what the edit adds and without what it removes. Nil if nobody else has changed them, the edit
  /// does not set them, or they would be too many.
  private func mergedTags(with present: JSONObject) -> JSONValue? {
    guard let wanted = patch["tags"].flatMap(Self.tags),
      let started = Self.tags(from["tags"] ?? .null),
      let found = Self.tags(present["tags"] ?? .null),
      !Self.isSame(.array(found), .array(started), [])
    else { return nil }
    let left = found.filter { !started.contains($0) || wanted.contains($0) }
    let merged = left + wanted.filter { !started.contains($0) && !left.contains($0) }
    return merged.count <= Limits.tagCount ? .array(merged) : nil
  }

  /// The tags of a value; none for null. Nil for what are no tags.
  private static func tags(_ value: JSONValue) -> [JSONValue]? {
    switch value {
    case .null: []
    case .array(let tags): tags
    default: nil
    }
  }

  /// The errors that do not depend on the present details.
  private func errors(known: [String], _ check: (FieldErrors) -> Void) -> [FieldError] {
    let own = FieldErrors()
    check(own)
    let errors = own.all.map { FieldError(["patch"] + $0.path, $0.detail) }
    let started = FieldErrors()
    _ = Members(from, at: ["from"], known: known, started)
    return errors + started.all
  }

  private func refuse(_ errors: [FieldError]) throws(InventoryError) {
    guard errors.isEmpty else { throw .invalid(errors) }
  }

  private func belowPatch<Details>(
    _ edit: () throws(InventoryError) -> Details
  ) throws(InventoryError) -> Details {
    do throws(InventoryError) { return try edit() } catch {
      guard case .invalid(let errors) = error else { throw error }
      throw .invalid(errors.map { FieldError(["patch"] + $0.path, $0.detail) })
    }
  }

  /// - Parameters:
  ///   - patch: the members that replace those of others.
  ///   - defaults: texts that the API shows for an unset text.
  private func compare(
    _ patch: JSONObject, _ old: JSONObject, _ new: JSONObject, defaults: [String]
  ) {
    var finding = Finding()
    finding.overwritten = overwritten(patch, from, old, new, defaults)
    kept(from, patch, old, defaults, at: [], &finding.kept)
    lastFinding.withLock { $0 = finding }
  }

  /// The values of others that a patch of an object replaces.
  private func overwritten(
    _ patch: JSONObject, _ from: JSONObject, _ old: JSONObject, _ new: JSONObject,
    _ defaults: [String]
  ) -> JSONObject {
    var result = JSONObject()
    for (name, wanted) in patch.members {
      let (before, after) = (old[name] ?? .null, new[name] ?? .null)
      let started = from[name] ?? .null
      if let wanted = wanted.object, let before = before.object, let after = after.object {
        let inner = overwritten(wanted, started.object ?? JSONObject(), before, after, defaults)
        if !inner.isEmpty { result.set(name, to: .object(inner)) }
      } else if before != after, !Self.isSame(before, started, defaults) {
        result.set(name, to: before)
      }
    }
    return result
  }

  /// Adds the members of `from` that the patch leaves alone and that have another value now.
  private func kept(
    _ from: JSONObject, _ patch: JSONObject, _ old: JSONObject, _ defaults: [String],
    at path: [String], _ pointers: inout [String]
  ) {
    // Read-only members change by other commands.
    for (name, started) in from.members where !path.isEmpty || old.contains(name) {
      let (present, path) = (old[name] ?? .null, path + [name])
      if let started = started.object, let present = present.object {
        guard !patch.contains(name) || patch[name]?.object != nil else { continue }
        let patch = patch[name]?.object ?? JSONObject()
        kept(started, patch, present, defaults, at: path, &pointers)
      } else if !patch.contains(name), !Self.isSame(present, started, defaults) {
        pointers.append(JSONPointer(tokens: path).text)
      }
    }
  }

  /// Whether a value is the one that an edit started from. The server trims texts, so their ends do not count.
  private static func isSame(
    _ present: JSONValue, _ started: JSONValue, _ defaults: [String]
  ) -> Bool {
    switch (present, started) {
    case (.string(let present), .string(let started)):
      JSONValue.string(TextRules.trimmed(present)) == .string(TextRules.trimmed(started))
    case (.array(let present), .array(let started)):
      present.count == started.count
        && zip(present, started).allSatisfy { isSame($0, $1, defaults) }
    case (.null, .string(let started)): defaults.contains(started)
    default: present == started
    }
  }
}

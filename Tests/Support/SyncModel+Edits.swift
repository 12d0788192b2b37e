import JSON

// What people edit, and the merge of an edit with those of others.
extension SyncModel {
  static let sentinelText: JSONValue = "No more items!"
  static let deleteLabel: JSONValue = "Remove"

  /// All members of a list, those that are not given with their defaults.
  static func details(ofList given: JSONObject) -> JSONObject {
    let sentinel = given["sentinel"]?.object
    return JSONObject([
      ("title", given["title"] ?? .null), ("itemKind", "any"),
      (
        "sentinel",
        ["text": sentinel?["text"] ?? .null, "visible": sentinel?["visible"] ?? true]
      ),
      ("deleteLabel", given["deleteLabel"] ?? .null), ("glyph", given["glyph"] ?? .null),
      ("colour", given["colour"] ?? .null),
    ])
  }

  /// All members of an item, those that are not given with their defaults.
  static func details(ofItem given: JSONObject) -> JSONObject {
    func value(_ name: String, default: JSONValue = .null) -> (String, JSONValue) {
      let value = given[name] ?? .null
      return (name, value == .null ? `default` : value)
    }
    let car = given["car"]?.object
    var details = JSONObject([
      ("kind", car == nil ? "thing" : "car"), value("name"), value("serialNumber"),
      value("valueInDollars"), value("quantity", default: 1), value("notes"),
      value("tags", default: []), value("fields", default: [:]),
    ])
    if let car {
      details.set(
        "car",
        to: .object(
          JSONObject(["make", "model", "year", "fuelAmount"].map { ($0, car[$0] ?? .null) })))
    }
    return details
  }

  /// RFC 7396.
  static func merged(_ patch: JSONObject, into target: JSONObject) -> JSONObject {
    var target = target
    for (name, value) in patch.members {
      if let inner = value.object {
        target.set(name, to: .object(merged(inner, into: target[name]?.object ?? JSONObject())))
      } else {
        target[name] = value == .null ? .none : .some(value)
      }
    }
    return target
  }

  /// The tags after an edit that met others' change of them: those they left, and then the new ones. Nil if there is no
  /// such change.
  static func mergedTags(_ patch: JSONObject, _ from: JSONObject, _ old: JSONObject) -> JSONValue? {
    guard let patched = patch["tags"] else { return nil }
    let (wanted, started) = (patched.array ?? [], from["tags"]?.array ?? [])
    guard let found = old["tags"]?.array, found != started else { return nil }
    let removed = started.filter { !wanted.contains($0) }
    let added = wanted.filter { !started.contains($0) && !found.contains($0) }
    return .array(found.filter { !removed.contains($0) } + added)
  }

  /// The values of others that an edit has replaced.
  static func overwritten(
    by patch: JSONObject, _ from: JSONObject, _ old: JSONObject, _ new: JSONObject
  ) -> JSONObject {
    var result = JSONObject()
    for (name, wanted) in patch.members {
      let (before, after) = (old[name] ?? .null, new[name] ?? .null)
      if let wanted = wanted.object, let before = before.object, let after = after.object {
        let inner = overwritten(by: wanted, from[name]?.object ?? JSONObject(), before, after)
        if !inner.isEmpty { result.set(name, to: .object(inner)) }
      } else if before != after, !isSame(before, from[name] ?? .null) {
        result.set(name, to: before)
      }
    }
    return result
  }

  /// The paths to what others have changed and an edit has not.
  static func kept(
    _ from: JSONObject, _ patch: JSONObject, _ old: JSONObject, below path: String = ""
  ) -> [String] {
    from.members.flatMap { name, started -> [String] in
      // Top-level members of an answer that nobody edits.
      guard !path.isEmpty || old.contains(name) else { return [] }
      let (present, wanted) = (old[name] ?? .null, patch[name])
      if let started = started.object, let present = present.object {
        guard wanted == nil || wanted?.object != nil else { return [] }
        return kept(started, wanted?.object ?? JSONObject(), present, below: "\(path)/\(name)")
      }
      return wanted != nil || isSame(present, started) ? [] : ["\(path)/\(name)"]
    }
  }

  /// Whether a value is the one that an edit started from. A text that is not set reads as its default.
  private static func isSame(_ present: JSONValue, _ started: JSONValue) -> Bool {
    present == started || present == .null && [sentinelText, deleteLabel].contains(started)
  }
}

extension JSONValue {
  package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
  package var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }
}

/// JSON Merge Patch: https://www.rfc-editor.org/rfc/rfc7396
package enum MergePatch {
  /// The target with the patch applied: null removes a member, an object is merged, and any other
  /// value replaces. Existing members keep their order; new ones follow in the patch's order.
  ///
  /// - Parameter keepsNulls: whether a null in the patch keeps a member that is already null, so that a
  ///   target patched with itself is unchanged.
  package static func apply(
    _ patch: JSONValue, to target: JSONValue, keepsNulls: Bool = false
  ) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    let present = if case .object(let object) = target { object } else { JSONObject() }
    var result = JSONObject()
    for (key, value) in present.members {
      switch changes[key] {
      case nil: result.append(newKey: key, value)
      case .null?: if keepsNulls, value == .null { result.append(newKey: key, .null) }
      case let change?:
        result.append(newKey: key, apply(change, to: value, keepsNulls: keepsNulls))
      }
    }
    for (key, change) in changes.members where change != .null && !present.contains(key) {
      result.append(newKey: key, apply(change, to: .null))
    }
    return .object(result)
  }
}

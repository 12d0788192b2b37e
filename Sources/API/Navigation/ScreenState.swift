import Inventory
import JSON

/// What a client keeps with a screen: a JSON object of at most `Limits.screenState` bytes.
enum ScreenState {
  static func read(_ object: JSONObject, _ members: Members) -> CustomFields? {
    let state = CustomFields(object)
    guard state.json.utf8.count <= Limits.screenState else {
      members.note("state", tooLarge)
      return nil
    }
    return state
  }

  static let tooLarge = "Use at most \(Limits.screenState / 1024) KiB of JSON."
}

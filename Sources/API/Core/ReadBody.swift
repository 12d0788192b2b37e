import JSON
import Synchronization

/// Keeps a body that has been parsed until it is asked for once more.
final class ReadBody: Sendable {
  private let object = Mutex<JSONObject?>(nil)

  func keep(_ body: JSONObject) { object.withLock { $0 = body } }

  /// Nil where none is kept any more.
  func take() -> JSONObject? {
    object.withLock { object in
      defer { object = nil }
      return object
    }
  }
}

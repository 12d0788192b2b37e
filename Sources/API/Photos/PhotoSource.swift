import HTTP
import Inventory
import Synchronization

/// Supplies the bytes of a photo or a rendition, or a range of them, as fast as the client reads.
///
/// Reads each piece only when there is room for it, so one piece at most is in memory and no read stays open while
/// the client is slow. The stream fails when the caller loses access to the server or to the photo.
final class PhotoSource: BodySource {
  private struct State {
    /// The offset of the next byte to send.
    var next: Int
    /// Bytes that were read but not yet sent.
    var bytes: [UInt8] = []
    var isReading = false
    var isWaiting = false
    var hasFailed = false
    var signal: StreamSignal?
  }

  let length: Int?
  private let photo: PhotoID
  /// The revision that added it. Another photo may get its id while the client reads.
  private let revision: Revision
  private let rendition: RenditionSize?
  private let end: Int
  private let caller: Caller
  private let store: any Store
  private let state: Mutex<State>

  init(
    _ photo: Photo, _ rendition: RenditionSize?, _ bytes: Range<Int>, for caller: Caller,
    in store: any Store
  ) {
    self.photo = photo.id
    revision = photo.revision
    self.rendition = rendition
    self.caller = caller
    self.store = store
    length = bytes.count
    end = bytes.upperBound
    state = Mutex(State(next: bytes.lowerBound))
  }

  func started(_ signal: StreamSignal) {
    state.withLock { $0.signal = signal }
  }

  func pull(into output: inout [UInt8], limit: Int) -> Supply {
    guard store.isAuthorized(caller) else { return .fail }
    if let supply = give(&output) { return supply }
    let range = state.withLock { state -> Range<Int>? in
      guard !state.isReading else { return nil }
      state.isReading = true
      return state.next..<min(end, state.next + max(1, limit))
    }
    if let range {
      store.readPhoto(photo, addedBy: revision, rendition, range, for: caller) { self.arrived($0) }
    }
    if let supply = give(&output) { return supply }
    return state.withLock { state in
      // The read may just have completed.
      guard state.isReading else { return .more }
      state.isWaiting = true
      return .wait
    }
  }

  /// Appends the bytes that were read. Nil if there are none.
  private func give(_ output: inout [UInt8]) -> Supply? {
    let (bytes, supply) = state.withLock { state -> ([UInt8], Supply?) in
      if state.hasFailed { return ([], .fail) }
      guard state.next < end else { return ([], .end) }
      guard !state.bytes.isEmpty else { return ([], nil) }
      let bytes = state.bytes
      state.bytes = []
      state.next += bytes.count
      return (bytes, state.next < end ? .more : .end)
    }
    output += bytes
    return supply
  }

  private func arrived(_ result: Result<[UInt8], InventoryError>) {
    let signal = state.withLock { state -> StreamSignal? in
      state.isReading = false
      switch result {
      case .success(let bytes): state.bytes = bytes
      case .failure: state.hasFailed = true
      }
      guard state.isWaiting else { return nil }
      state.isWaiting = false
      return state.signal
    }
    signal?.resume()
  }
}

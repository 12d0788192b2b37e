import HTTP
import Inventory
import Synchronization

/// Receives a photo, stages its bytes in the store piece by piece, and adds it at the end.
///
/// Only a few pieces are being stored at a time, fewer during many uploads. The next piece is collected
/// meanwhile; when it is full, the client has to wait. An upload's memory therefore does not grow with its
/// size. During many uploads, each keeps at most three pieces in memory.
final class PhotoReceiver: BodyReceiver {
  /// The destination of the bytes.
  struct Errand: Sendable {
    let item: ItemID
    let photo: PhotoID
    let upload: UploadID
    let context: WriteContext
    /// Whether the request has an idempotency key.
    let hasKey: Bool
    let request: RequestContext
  }

  /// Facts about the bytes. Locked separately, so that the store's threads do not wait for hashing.
  private struct Content {
    var image = ImageReader()
    /// The digest of all bytes, for an idempotency key.
    var hash: SHA256?
    var size = 0
  }

  /// The end of a complete body.
  fileprivate struct Ending {
    let photo: NewPhoto
    let hash: SHA256?
    let responder: Responder
  }

  fileprivate struct State {
    /// Full pieces that are not being stored yet.
    var whole: [[UInt8]] = []
    /// The beginning of the next piece.
    var bytes: [UInt8] = []
    /// The number of the next piece to store.
    var number = 0
    /// The number of pieces being stored.
    var staging = 0
    /// Whether the client has to wait.
    var isWaiting = false
    var isBroken = false
    /// The error. With an idempotency key the body is still read: the photo may have been added before.
    var failure: Problem?
    var signal: StreamSignal?
    var ending: Ending?
  }

  let limit: Int
  private let errand: Errand
  private let store: any Store
  private let uploads: Quota
  private let content: Mutex<Content>
  private let state: Mutex<State>

  /// The number of pieces that may be stored at a time, shared equally by all uploads. Each upload may always store
  /// one.
  private static let staging = 8

  /// - Parameters:
  ///   - uploads: the quota, of which one is already taken for the caller. It is returned at the end.
  ///   - failure: an error that prevents adding the photo, unless its key has a stored response.
  init(
    _ errand: Errand, limit: Int, store: any Store, uploads: Quota, failure: Problem? = nil
  ) {
    self.errand = errand
    self.limit = limit
    self.store = store
    self.uploads = uploads
    state = Mutex(State(failure: failure))
    content = Mutex(Content(hash: errand.hasKey ? SHA256() : nil))
  }

  deinit { uploads.give(for: errand.context.caller) }

  func started(_ signal: StreamSignal) {
    state.withLock { $0.signal = signal }
  }

  func receive(_ piece: Span<UInt8>) -> Uptake {
    if let refusal = store.refusal(of: errand.context.caller) {
      perform(state.withLock { $0.cancel() })
      return .respond(response(Problem(refusal)))
    }
    let isUnknown = content.withLock { content in
      content.hash?.take(piece)
      content.image.take(piece)
      content.size += piece.count
      return content.image.isUnknown
    }
    let share = uploads.share(of: Self.staging)
    let (uptake, next) = state.withLock { state -> (Uptake, Step) in
      if let failure = state.failure, !errand.hasKey {
        return (.respond(response(failure)), state.cancel())
      }
      guard !isUnknown else { return (.respond(response(Self.unknownType)), state.cancel()) }
      guard state.failure == nil else { return (.more, .none) }
      state.gather(piece)
      let next = state.nextPiece(for: errand, share)
      state.isWaiting = !state.whole.isEmpty
      return (state.isWaiting ? .wait : .more, next.map(Step.stage) ?? .none)
    }
    perform(next)
    return uptake
  }

  func finish(_ responder: Responder) -> Reply {
    let (facts, size, hash) = content.withLock { ($0.image.facts, $0.size, $0.hash) }
    let share = uploads.share(of: Self.staging)
    let (problem, next) = state.withLock { state -> (Problem?, Step) in
      if let failure = state.failure, !errand.hasKey { return (failure, state.cancel()) }
      guard let facts else {
        return (size == 0 ? Self.missing : Self.unknownType, state.cancel())
      }
      let photo = NewPhoto(id: errand.photo, upload: errand.upload, image: facts, size: size)
      state.ending = Ending(photo: photo, hash: hash, responder: responder)
      return (nil, state.goOn(for: errand, share))
    }
    perform(next)
    return problem.map { .now(response($0)) } ?? .later
  }

  func brokenOff() {
    perform(state.withLock { $0.cancel() })
  }

  /// The next action. It runs without the lock, because the store may call back at once.
  fileprivate enum Step {
    case none
    case stage(PhotoPiece)
    case add(Ending)
    case refuse(Problem, Ending)
    case discard
  }

  private func perform(_ step: Step) {
    switch step {
    case .none: break
    case .stage(let piece):
      store.stage(piece, errand.context) { self.staged($0) }
    case .add(let ending): add(ending.photo, ending.hash, ending.responder)
    case .refuse(let problem, let ending): refuse(problem, ending.hash, ending.responder)
    case .discard: discard()
    }
  }

  private func staged(_ result: Result<Void, InventoryError>) {
    let share = uploads.share(of: Self.staging)
    let (next, signal) = state.withLock { state -> (Step, StreamSignal?) in
      state.staging -= 1
      if case .failure(let error) = result { state.fail(Problem(error)) }
      let next = state.goOn(for: errand, share)
      // Resumes only a waiting stream: a signal without a waiter would swallow the next one.
      guard state.isWaiting, state.whole.isEmpty else { return (next, nil) }
      state.isWaiting = false
      return (next, state.signal)
    }
    perform(next)
    signal?.resume()
  }

  private func add(_ photo: NewPhoto, _ hash: SHA256?, _ responder: Responder) {
    let request = errand.request.completed(by: responder)
    var context = errand.context
    do throws(Problem) {
      context.retry = try request.retry(sending: hash?.digest()) {
        request.response($0, .resource)
      }
    } catch {
      discard()
      return responder.send(response(error))
    }
    store.submit(.addPhoto(photo, to: errand.item), context) { result in
      // If the photo already existed, the staged bytes are a second copy.
      if (try? result.get().isCreated) != true { self.discard() }
      responder.send(request.response(to: result, .resource))
    }
  }

  /// Sends the error, unless the photo was added before under the same key.
  private func refuse(_ problem: Problem, _ hash: SHA256?, _ responder: Responder) {
    discard()
    let request = errand.request.completed(by: responder)
    var context = errand.context
    context.retry = hash.flatMap { hash in
      try? request.retry(sending: hash.digest()) { _ in self.response(problem) }
    }
    guard context.retry != nil else { return responder.send(response(problem)) }
    store.submit(.recall, context) { result in
      switch result {
      case .success(let outcome):
        responder.send(outcome.kept.flatMap(request.replayed) ?? self.response(problem))
      case .failure(.idempotencyKeyReused):
        responder.send(self.response(Problem(InventoryError.idempotencyKeyReused)))
      case .failure: responder.send(self.response(problem))
      }
    }
  }

  private func discard() { store.discard(errand.upload, errand.context) }

  private func response(_ problem: Problem) -> Response {
    errand.request.context.response(problem)
  }

  /// The error for a missing or empty body.
  static let missing = Problem.invalid([
    .member([], "The body is missing. Send the bytes of an image.")
  ])

  private static let unknownType = Problem(
    .unsupportedImage,
    "Send the bytes of a JPEG, PNG, WebP, HEIC or GIF file.")
}

extension PhotoReceiver.State {
  fileprivate mutating func gather(_ piece: Span<UInt8>) {
    piece.withUnsafeBufferPointer { piece in
      var rest = piece[...]
      while !rest.isEmpty {
        if bytes.isEmpty { bytes.reserveCapacity(PhotoPiece.size) }
        let part = rest.prefix(PhotoPiece.size - bytes.count)
        bytes += part
        rest = rest.dropFirst(part.count)
        guard bytes.count == PhotoPiece.size else { return }
        whole.append(bytes)
        bytes = []
      }
    }
  }

  /// The next piece to store. It is full, or the last one of the body. Nil if `share` pieces are being stored.
  ///
  /// The first piece is stored alone, because the store may refuse it.
  fileprivate mutating func nextPiece(
    for errand: PhotoReceiver.Errand, _ share: Int
  ) -> PhotoPiece? {
    guard staging < (number == 1 ? 1 : share), !isBroken, failure == nil else { return nil }
    let next: [UInt8]
    if !whole.isEmpty {
      next = whole.removeFirst()
    } else if ending != nil, !bytes.isEmpty {
      next = bytes
      bytes = []
    } else {
      return nil
    }
    defer { number += 1 }
    staging += 1
    return PhotoPiece(upload: errand.upload, item: errand.item, number: number, bytes: next)
  }

  /// The next action after a piece was stored or refused, or the body became complete.
  fileprivate mutating func goOn(
    for errand: PhotoReceiver.Errand, _ share: Int
  ) -> PhotoReceiver.Step {
    if let piece = nextPiece(for: errand, share) { return .stage(piece) }
    guard staging == 0 else { return .none }
    if isBroken { return .discard }
    guard let ending = self.ending.take() else { return .none }
    return failure.map { .refuse($0, ending) } ?? .add(ending)
  }

  fileprivate mutating func fail(_ problem: Problem) {
    failure = failure ?? problem
    whole = []
    bytes = []
  }

  /// Cancels the upload and drops its bytes.
  fileprivate mutating func cancel() -> PhotoReceiver.Step {
    isBroken = true
    whole = []
    bytes = []
    // Pieces being stored are discarded when the store has finished with them.
    return number > 0 && staging == 0 ? .discard : .none
  }
}

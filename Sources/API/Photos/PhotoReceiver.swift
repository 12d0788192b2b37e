import HTTP
import Inventory
import Synchronization

/// Takes a photo as it arrives, hands its bytes to the store piece by piece, and has it added at the end.
///
/// One piece is with the store at a time. The next is gathered meanwhile; once it is whole, the client is
/// kept waiting. So an upload takes three pieces of memory at most, however large it is.
final class PhotoReceiver: BodyReceiver {
  /// What is to become of the bytes.
  struct Errand: Sendable {
    let item: ItemID
    let photo: PhotoID
    let upload: UploadID
    let context: WriteContext
    /// Whether the answer is kept under a key.
    let hasKey: Bool
    let head: RequestHead
    let route: RouteDescription
    let audience: Audience
  }

  fileprivate struct State {
    var image = ImageReader()
    /// Of all bytes, where there is a key that they go by.
    var hash: SHA256?
    /// What has come and is not yet with the store.
    var bytes: [UInt8] = []
    var size = 0
    /// Of the next piece.
    var number = 0
    /// Whether a piece is with the store.
    var isStaging = false
    /// Whether the client is kept waiting.
    var isWaiting = false
    var isBroken = false
    /// With a key the rest is read all the same: it may have been added before.
    var failure: Problem?
    var signal: StreamSignal?
    /// There once the body is complete.
    var responder: Responder?
  }

  let limit: Int
  private let errand: Errand
  private let store: any Store
  private let uploads: UploadLimit
  private let state: Mutex<State>

  /// - Parameter uploads: one is taken from it already; it is given back at the end.
  init(_ errand: Errand, limit: Int, store: any Store, uploads: UploadLimit) {
    self.errand = errand
    self.limit = limit
    self.store = store
    self.uploads = uploads
    state = Mutex(State(hash: errand.hasKey ? SHA256() : nil))
  }

  deinit { uploads.give() }

  func started(_ signal: StreamSignal) {
    state.withLock { $0.signal = signal }
  }

  func receive(_ piece: Span<UInt8>) -> Uptake {
    let bytes = piece.withUnsafeBufferPointer { Array($0) }
    let (uptake, next) = state.withLock { state -> (Uptake, Step) in
      if let failure = state.failure, state.hash == nil {
        return (.respond(response(failure)), state.giveUp())
      }
      state.hash?.take(piece)
      state.image.take(bytes.span)
      guard !state.image.isUnknown else {
        return (.respond(response(Self.unknownType)), state.giveUp())
      }
      state.size += bytes.count
      guard state.failure == nil else { return (.more, .none) }
      state.bytes += bytes
      let next = state.nextPiece(for: errand)
      state.isWaiting = state.bytes.count >= PhotoPiece.size
      return (state.isWaiting ? .wait : .more, next.map(Step.stage) ?? .none)
    }
    perform(next)
    return uptake
  }

  func finish(_ responder: Responder) -> Reply {
    let (problem, next) = state.withLock { state -> (Problem?, Step) in
      let problem =
        (state.hash == nil ? state.failure : nil) ?? (state.size == 0 ? Self.missing : nil)
        ?? (state.image.facts == nil ? Self.unknownType : nil)
      if let problem { return (problem, state.giveUp()) }
      state.responder = responder
      return (nil, state.goOn(for: errand))
    }
    perform(next)
    return problem.map { .response(response($0)) } ?? .deferred
  }

  func brokenOff() {
    perform(state.withLock { $0.giveUp() })
  }

  /// What is to be done without the lock, since the store may answer at once.
  fileprivate enum Step {
    case none
    case stage(PhotoPiece)
    case add(NewPhoto, SHA256?, Responder)
    case refuse(Problem, SHA256?, Responder)
    case discard
  }

  private func perform(_ step: Step) {
    switch step {
    case .none: break
    case .stage(let piece):
      store.stage(piece, errand.context) { self.staged($0) }
    case .add(let photo, let hash, let responder): add(photo, hash, responder)
    case .refuse(let problem, let hash, let responder): refuse(problem, hash, responder)
    case .discard: discard()
    }
  }

  private func staged(_ result: Result<Void, InventoryError>) {
    let (next, signal) = state.withLock { state -> (Step, StreamSignal?) in
      state.isStaging = false
      if case .failure(let error) = result { state.failure = Problem(error) }
      let next = state.goOn(for: errand)
      // Signalled only where it waits: a signal that nobody waits for would swallow the next.
      guard state.isWaiting, state.failure != nil || state.bytes.count < PhotoPiece.size else {
        return (next, nil)
      }
      state.isWaiting = false
      return (next, state.signal)
    }
    perform(next)
    signal?.resume()
  }

  private func add(_ photo: NewPhoto, _ hash: SHA256?, _ responder: Responder) {
    let exchange = exchange(responder)
    var context = errand.context
    do throws(Problem) {
      context.retry = try exchange.retry(sending: hash?.digest()) {
        exchange.response($0, .resource)
      }
    } catch {
      discard()
      return responder.send(response(error))
    }
    store.submit(.addPhoto(photo, to: errand.item), context) { result in
      // Where the photo was there already, these are the same bytes once more.
      if (try? result.get().isCreated) != true { self.discard() }
      responder.send(exchange.response(to: result, .resource))
    }
  }

  /// Answers with what the store had against the photo, unless it was added before, under the same key.
  private func refuse(_ problem: Problem, _ hash: SHA256?, _ responder: Responder) {
    discard()
    let exchange = exchange(responder)
    var context = errand.context
    context.retry = hash.flatMap { hash in
      try? exchange.retry(sending: hash.digest()) { _ in self.response(problem) }
    }
    guard context.retry != nil else { return responder.send(response(problem)) }
    store.submit(.recall, context) { result in
      switch result {
      case .success(let outcome):
        responder.send(outcome.kept.flatMap(exchange.replayed) ?? self.response(problem))
      case .failure(.idempotencyKeyReused):
        responder.send(self.response(Problem(InventoryError.idempotencyKeyReused)))
      case .failure: responder.send(self.response(problem))
      }
    }
  }

  private func exchange(_ responder: Responder) -> Exchange {
    Exchange(
      request: Request(head: errand.head), responder: responder, route: errand.route,
      audience: errand.audience, maximumDepth: 0)
  }

  private func discard() { store.discard(errand.upload, errand.context) }

  private func response(_ problem: Problem) -> Response { errand.audience.response(problem) }

  /// For no body, or an empty one.
  static let missing = Problem.invalid([
    .member([], "The body is missing: the bytes of an image are read here.")
  ])

  private static let unknownType = Problem(
    .unsupportedImage,
    "The bytes are no image of a known type: JPEG, PNG, WebP, HEIC and GIF are read, as they are.")
}

extension PhotoReceiver.State {
  /// The next piece, if it is whole and the one before has been kept.
  fileprivate mutating func nextPiece(for errand: PhotoReceiver.Errand) -> PhotoPiece? {
    let isDue = bytes.count >= PhotoPiece.size || (responder != nil && !bytes.isEmpty)
    guard isDue, !isStaging, !isBroken, failure == nil else { return nil }
    let count = min(bytes.count, PhotoPiece.size)
    let piece = PhotoPiece(
      upload: errand.upload, item: errand.item, number: number, bytes: Array(bytes[..<count]))
    bytes.removeFirst(count)
    number += 1
    isStaging = true
    return piece
  }

  /// What comes when a piece has been kept, or refused, or the body is complete.
  fileprivate mutating func goOn(for errand: PhotoReceiver.Errand) -> PhotoReceiver.Step {
    guard !isStaging else { return .none }
    if isBroken { return .discard }
    if let failure {
      guard let responder else { return .none }
      self.responder = nil
      return .refuse(failure, hash, responder)
    }
    if let piece = nextPiece(for: errand) { return .stage(piece) }
    guard let responder, let facts = image.facts else { return .none }
    self.responder = nil
    return .add(
      NewPhoto(id: errand.photo, upload: errand.upload, image: facts, size: size), hash, responder)
  }

  /// Nothing more comes, and nothing of it is to stay.
  fileprivate mutating func giveUp() -> PhotoReceiver.Step {
    isBroken = true
    bytes = []
    // What is with the store is given up when it has been kept.
    return number > 0 && !isStaging ? .discard : .none
  }
}

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The connection of an event stream. It closes when the value is released.
///
/// It has a session of its own with a delegate, because URLSession has no `bytes` on Linux.
final class EventConnection: Sendable {
  typealias Pieces = AsyncStream<Piece>

  enum Piece: Sendable {
    case bytes(Data)
    /// No stream arrived, or it ended: the server's answer, or the reason why there is none.
    case failure(RowhouseError, retryAfter: Int?)
  }

  /// The pieces until the connection ends. Its one reader reports each used piece to ``hasTaken(_:)``.
  let pieces: Pieces
  private let receiver: Receiver
  private let task: SingleTaskSession

  /// - Parameters:
  ///   - other: The session whose connection settings are used.
  ///   - limit: The most bytes that may wait for the reader. A slower reader loses the connection, resumes with a new
  ///     one, and receives all missed changes as one event.
  init(_ request: URLRequest, like other: URLSession, limit: Int) {
    let (stream, continuation) = Pieces.makeStream()
    pieces = stream
    let ending = SingleTaskSession.Ending()
    receiver = Receiver(continuation, limit, ending)
    // The server sends a comment every 15 seconds.
    task = SingleTaskSession(like: other, waiting: 60, delegate: receiver, ending) { session in
      session.dataTask(with: request)
    }
    task.start()
  }

  deinit { task.end() }

  func hasTaken(_ piece: Data) { receiver.hasTaken(piece.count) }

  private final class Receiver: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
      /// The bytes of the stream that the reader has not taken.
      var waiting = 0
      /// The body of an answer that is not a stream.
      var body = Data()
    }

    private static let longestBody = 1 << 16
    private let continuation: Pieces.Continuation
    private let limit: Int
    private let ending: SingleTaskSession.Ending
    private let state = Mutex(State())

    init(_ continuation: Pieces.Continuation, _ limit: Int, _ ending: SingleTaskSession.Ending) {
      self.continuation = continuation
      self.limit = limit
      self.ending = ending
    }

    func hasTaken(_ count: Int) { state.withLock { $0.waiting -= count } }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) {
      guard let response = dataTask.response as? HTTPURLResponse else { return }
      let isTooMuch: Bool
      if Self.isStream(response) {
        isTooMuch = state.withLock { state in
          state.waiting += data.count
          return state.waiting > limit
        }
        continuation.yield(.bytes(data))
      } else {
        isTooMuch = state.withLock { state in
          state.body.append(data)
          return state.body.count > Self.longestBody
        }
      }
      if isTooMuch { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      ending.markEnded()
      if let response = task.response as? HTTPURLResponse, !Self.isStream(response) {
        let refusal = Rowhouse.refusal(state.withLock(\.body), response)
        continuation.yield(.failure(refusal, retryAfter: Rowhouse.retryAfter(response)))
      } else if let error {
        continuation.yield(.failure(RowhouseError(noAnswer: error), retryAfter: nil))
      }
      continuation.finish()
    }

    /// A page from a proxy may have status 200 too (HTML §9.2.3, "announce the connection").
    private static func isStream(_ response: HTTPURLResponse) -> Bool {
      let type = response.value(forHTTPHeaderField: "Content-Type") ?? ""
      return response.statusCode == 200
        && type.lowercased().hasPrefix("text/event-stream")
    }
  }
}

import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One connection that an event stream comes on; it is closed with the value.
///
/// A session of its own with a delegate: URLSession has no `bytes` on Linux.
final class EventConnection: Sendable {
  typealias Pieces = AsyncStream<Piece>

  enum Piece: Sendable {
    case bytes(Data)
    /// No stream came, or it broke off: the server's answer, or why there was none.
    case failure(RowhouseError, retryAfter: Int?)
  }

  /// Until the connection ends; for one reader, who says with ``hasTaken(_:)`` what it has done with.
  let pieces: Pieces
  private let receiver: Receiver
  private let task: LoneTask

  /// - Parameters:
  ///   - other: whose way of connecting is taken over.
  ///   - limit: how many bytes may wait for the reader. One that is slower loses the connection behind
  ///     them, resumes with another, and gets what happened in between as one event.
  init(_ request: URLRequest, like other: URLSession, limit: Int) {
    let (stream, continuation) = Pieces.makeStream()
    pieces = stream
    let ending = LoneTask.Ending()
    receiver = Receiver(continuation, limit, ending)
    // The server sends a comment every 15 seconds.
    task = LoneTask(like: other, waiting: 60, delegate: receiver, ending) { session in
      session.dataTask(with: request)
    }
    task.start()
  }

  deinit { task.end() }

  func hasTaken(_ piece: Data) { receiver.hasTaken(piece.count) }

  private final class Receiver: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
      /// Bytes of the stream that the reader has not taken.
      var waiting = 0
      /// The body of an answer that is no stream.
      var body = Data()
    }

    private static let longestBody = 1 << 16
    private let continuation: Pieces.Continuation
    private let limit: Int
    private let ending: LoneTask.Ending
    private let state = Mutex(State())

    init(_ continuation: Pieces.Continuation, _ limit: Int, _ ending: LoneTask.Ending) {
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
      ending.come()
      if let response = task.response as? HTTPURLResponse, !Self.isStream(response) {
        let refusal = Rowhouse.refusal(state.withLock(\.body), response)
        continuation.yield(.failure(refusal, retryAfter: Rowhouse.retryAfter(response)))
      } else if let error {
        continuation.yield(.failure(RowhouseError(noAnswer: error), retryAfter: nil))
      }
      continuation.finish()
    }

    /// A page of something in between may well be of status 200 (HTML §9.2.3, "announce the connection").
    private static func isStream(_ response: HTTPURLResponse) -> Bool {
      let type = response.value(forHTTPHeaderField: "Content-Type") ?? ""
      return response.statusCode == 200
        && type.lowercased().hasPrefix("text/event-stream")
    }
  }
}

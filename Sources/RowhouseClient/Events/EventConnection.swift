import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One connection that an event stream comes on; it is closed with the value.
///
/// A session of its own with a delegate: URLSession has no `bytes` on Linux.
final class EventConnection: Sendable {
  typealias Bytes = AsyncStream<Piece>

  enum Piece: Sendable {
    case bytes(Data)
    /// The stream is no stream: the server's answer, or why there was none.
    case refused(RowhouseError)
  }

  let bytes: Bytes
  private let session: URLSession

  /// - Parameter other: whose way of connecting is taken over.
  init(_ request: URLRequest, like other: URLSession) {
    let (stream, continuation) = AsyncStream.makeStream(of: Piece.self)
    bytes = stream
    let configuration = other.configuration
    // The server sends a comment every 15 seconds.
    configuration.timeoutIntervalForRequest = 60
    session = URLSession(
      configuration: configuration, delegate: Receiver(continuation), delegateQueue: nil)
    let task = session.dataTask(with: request)
    continuation.onTermination = { _ in task.cancel() }
    task.resume()
  }

  deinit { session.invalidateAndCancel() }

  private final class Receiver: NSObject, URLSessionDataDelegate, Sendable {
    private let continuation: Bytes.Continuation

    init(_ continuation: Bytes.Continuation) { self.continuation = continuation }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) {
      guard let response = dataTask.response as? HTTPURLResponse else { return }
      if response.statusCode == 200 {
        continuation.yield(.bytes(data))
      } else if let problem = try? JSONCoding.decoder.decode(Problem.self, from: data) {
        continuation.yield(.refused(.refused(problem)))
      } else {
        continuation.yield(
          .refused(.unreadable(status: response.statusCode, body: data, underlying: nil)))
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      if let error = error as? URLError { continuation.yield(.refused(.unreachable(error))) }
      continuation.finish()
    }
  }
}

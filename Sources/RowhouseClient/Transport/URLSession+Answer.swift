import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// The answer to a request. Throws when the task is cancelled.
  func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
    #if os(Linux)
      // On Linux `data(for:)` may wait forever if the task is cancelled as the answer arrives, and cancelling a data
      // task may crash the process. So a cancelled request runs on, and its answer is ignored.
      let continuation = CancellableContinuation<(Data, URLResponse)>()
      return try await continuation.value {
        dataTask(with: request) { data, response, error in
          if let data, let response, error == nil {
            continuation.end(.success((data, response)))
          } else {
            continuation.end(.failure(error ?? URLError(.unknown)))
          }
        }.resume()
      }
    #else
      return try await data(for: request)
    #endif
  }

  /// The answer to a request with a file as its body. Throws when the task is cancelled.
  func answer(to request: URLRequest, sending file: URL) async throws -> (Data, URLResponse) {
    #if os(Linux)
      // On Linux an upload of a file crashes the process if the answer arrives before all is read.
      var request = request
      request.httpBodyStream = InputStream(url: file)
      return try await answer(into: nil) { [request] in $0.dataTask(with: request) }
    #else
      return try await answer(into: nil) { $0.uploadTask(with: request, fromFile: file) }
    #endif
  }

  /// The answer to a request. The body of a successful answer is written to a file as it arrives. Throws when the task
  /// is cancelled.
  func answer(to request: URLRequest, into file: FileHandle) async throws -> (Data, URLResponse) {
    try await answer(into: file) { $0.dataTask(with: request) }
  }

  private func answer(
    into file: FileHandle?, _ makeTask: (URLSession) -> URLSessionTask
  ) async throws -> (Data, URLResponse) {
    let receiver = FileReceiver(file)
    // The server writes a whole export, or reads a whole import, before it answers.
    func transfer() -> SingleTaskSession {
      SingleTaskSession(like: self, waiting: 600, delegate: receiver, receiver.ending, makeTask)
    }
    #if os(Linux)
      // Cancelling may crash the process, as in `answer(to:)`. So a cancelled transfer runs on.
      return try await receiver.continuation.value {
        let task = transfer()
        task.start()
        task.finish()
      }
    #else
      let task = transfer()
      defer { task.end() }
      return try await receiver.continuation.value { task.start() }
    #endif
  }
}

/// Receives an answer, into a file if there is one.
private final class FileReceiver: NSObject, URLSessionDataDelegate, Sendable {
  private struct State {
    /// The bytes that do not go into the file.
    var body = Data()
    /// Whether writing the file failed.
    var hasFailed = false
  }

  let continuation = CancellableContinuation<(Data, URLResponse)>()
  let ending = SingleTaskSession.Ending()
  private let file: FileHandle?
  private let state = Mutex(State())

  init(_ file: FileHandle?) { self.file = file }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
  ) {
    guard let file, dataTask.response?.isSuccess == true else {
      return state.withLock { $0.body.append(data) }
    }
    guard state.withLock({ !$0.hasFailed }) else { return }
    do { try file.write(contentsOf: data) } catch {
      state.withLock { $0.hasFailed = true }
      continuation.end(.failure(RowhouseError.file(underlying: error)))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    ending.markEnded()
    if let response = task.response, error == nil {
      continuation.end(.success((state.withLock(\.body), response)))
    } else {
      continuation.end(.failure(error ?? URLError(.unknown)))
    }
  }
}

extension URLResponse {
  /// Whether the status is a success (RFC 9110 §15.3).
  var isSuccess: Bool {
    guard let response = self as? HTTPURLResponse else { return false }
    return (200..<300).contains(response.statusCode)
  }
}

import Foundation

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
}

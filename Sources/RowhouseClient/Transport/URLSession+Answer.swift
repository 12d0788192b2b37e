import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// The answer to a request; given up where the task is cancelled.
  func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
    #if os(Linux)
      // `data(for:)` there may wait for ever where a task is cancelled just as its answer comes, and a
      // data task may end the process. So what is cancelled is let run, and nobody waits for it.
      let wait = Wait<(Data, URLResponse)>()
      return try await wait.value {
        dataTask(with: request) { data, response, error in
          if let data, let response, error == nil {
            wait.end(.success((data, response)))
          } else {
            wait.end(.failure(error ?? URLError(.unknown)))
          }
        }.resume()
      }
    #else
      return try await data(for: request)
    #endif
  }
}

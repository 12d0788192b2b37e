/// A loop of a store that makes one call after the other.
enum OfflineWorker: CaseIterable, Sendable {
  case commands, photos, reading
}

/// A call to the server, which does not keep the store in memory. What it returns then changes the store, and says how
/// long to wait before the next call.
typealias OfflineJob = @Sendable () async -> @Sendable (isolated OfflineStore) -> Duration?

extension OfflineStore {
  /// Runs a worker until it is cancelled or the store is released.
  func run(_ worker: OfflineWorker) {
    workers[worker] = Task { [weak self] in
      while !Task.isCancelled {
        var pause: Duration? = .seconds(3_600)
        if let job = await self?.nextJob(of: worker) {
          let finish = await job()
          pause = await self?.finish(worker, finish)
        }
        guard let pause else { continue }
        guard let nap = await self?.nap(worker, for: pause) else { return }
        await nap.value
      }
    }
  }

  private func nextJob(of worker: OfflineWorker) -> OfflineJob? {
    kicked.remove(worker)
    guard isIdentified, openFile != nil else { return nil }
    switch worker {
    case .commands: return nextBatch()
    case .photos: return nextPhoto()
    case .reading: return nextRead()
    }
  }

  private func finish(
    _ worker: OfflineWorker, _ change: @Sendable (isolated OfflineStore) -> Duration?
  ) -> Duration? {
    guard openFile != nil else { return .seconds(3_600) }
    let pause = change(self)
    failures[worker] = pause == nil ? 0 : failures[worker, default: 0]
    return pause
  }

  /// Waits for a time, or until the worker is kicked.
  private func nap(_ worker: OfflineWorker, for pause: Duration) -> Task<Void, Never> {
    let isKicked = kicked.contains(worker)
    let nap = Task { if !isKicked { try? await Task.sleep(for: pause) } }
    naps[worker] = nap
    return nap
  }

  /// Makes a worker look for its next call now.
  func kick(_ worker: OfflineWorker) {
    kicked.insert(worker)
    naps[worker]?.cancel()
  }

  func kickAll() { for worker in OfflineWorker.allCases { kick(worker) } }

  /// The time to wait after a call that may succeed later.
  func pauseAfterFailure(of worker: OfflineWorker) -> Duration {
    failures[worker, default: 0] += 1
    let policy = rowhouse.retries.attempts > 1 ? rowhouse.retries : .standard
    return max(policy.delay(after: failures[worker, default: 1]), .milliseconds(100))
  }

  /// The server for calls whose repetition is up to the store.
  var rowhouseOnce: Rowhouse {
    var once = rowhouse
    once.retries = .never
    return once
  }
}

/// The outcome of a call.
func outcome<Answer>(
  of call: () async throws(RowhouseError) -> Answer
) async -> Result<Answer, RowhouseError> {
  do throws(RowhouseError) { return .success(try await call()) } catch { return .failure(error) }
}

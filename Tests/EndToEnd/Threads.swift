import Foundation
import Synchronization

/// Runs `body` on so many threads at once, `meanwhile` on this one, and waits for all.
///
/// Clients block, so they get threads of their own and none of those that tasks share.
func onThreads<Value: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value,
  meanwhile: () throws -> Void = {}
) throws -> [Value] {
  let results = Results<Value>()
  for number in 0..<count {
    Thread.detachNewThread {
      results.put(Result { try body(number) }, at: number)
    }
  }
  let other = Result { try meanwhile() }
  for _ in 0..<count { results.wait() }
  try other.get()
  return try results.all(count).map { try $0.get() }
}

private final class Results<Value: Sendable>: Sendable {
  private let values = Mutex<[Int: Result<Value, any Error>]>([:])
  private let arrived = DispatchSemaphore(value: 0)

  func put(_ value: Result<Value, any Error>, at number: Int) {
    values.withLock { $0[number] = value }
    arrived.signal()
  }

  func wait() { arrived.wait() }

  func all(_ count: Int) -> [Result<Value, any Error>] {
    values.withLock { values in (0..<count).compactMap { values[$0] } }
  }
}

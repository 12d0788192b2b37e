import Server
import Synchronization

/// A clock that stands still until a test moves it.
final class ManualTime: TimeSource {
  private let time = Atomic<Int64>(1_000_000)

  func milliseconds() -> Int64 { time.load(ordering: .sequentiallyConsistent) }
  func microseconds() -> Int64 { milliseconds() * 1000 }
  func millisecondsSince1970() -> Int64 { 784_111_777_000 }
  func advance(_ milliseconds: Int64) { time.add(milliseconds, ordering: .sequentiallyConsistent) }
}

import FoundationEssentials
import Synchronization

/// Source of the ids of new resources and requests: random, or sequential if a test harness asks for it.
package enum NewIdentifiers {
  /// The next sequential numbers; 0 while ids are random.
  private static let resources = Atomic<UInt64>(0)
  private static let requests = Atomic<UInt64>(0)

  /// A position in the sequences of ids.
  package struct Mark: Sendable {
    fileprivate var resources: UInt64
    fileprivate var requests: UInt64
  }

  /// Makes ids sequential from now on: `00000000-0000-7000-8000-000000000001` and so on.
  package static func count() {
    resources.store(1, ordering: .relaxed)
    requests.store(1, ordering: .relaxed)
  }

  /// Whether ids are sequential. Then all other generated values must be reproducible too.
  package static var isCounting: Bool { resources.load(ordering: .relaxed) > 0 }

  package static var mark: Mark {
    Mark(
      resources: resources.load(ordering: .relaxed), requests: requests.load(ordering: .relaxed))
  }

  /// Continues the sequences from a mark.
  package static func goBack(to mark: Mark) {
    resources.store(mark.resources, ordering: .relaxed)
    requests.store(mark.requests, ordering: .relaxed)
  }

  /// The next sequential id of a resource; nil while ids are random.
  static func nextResource() -> UUID? { next(resources, variant: 0x80) }

  /// The next sequential id of a request; nil while ids are random.
  package static func nextRequest() -> UUID? { next(requests, variant: 0x90) }

  /// A UUID in the form of version 7 (RFC 9562 §5.7), with time 0.
  private static func next(_ counter: borrowing Atomic<UInt64>, variant: UInt64) -> UUID? {
    guard counter.load(ordering: .relaxed) > 0 else { return nil }
    let number = counter.wrappingAdd(1, ordering: .relaxed).oldValue
    return UUID(high: 0x7000, low: variant << 56 | number)
  }
}

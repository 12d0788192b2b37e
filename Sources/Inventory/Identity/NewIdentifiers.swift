import FoundationEssentials
import Synchronization

/// Where the ids of new resources and requests come from: chance, unless a test harness has asked for
/// ids that are the same in each run.
package enum NewIdentifiers {
  /// Numbers that are given out one after the other; 0 while ids are made at random.
  private static let resources = Atomic<UInt64>(0)
  private static let requests = Atomic<UInt64>(0)

  /// Where counted ids stand.
  package struct Mark: Sendable {
    fileprivate var resources: UInt64
    fileprivate var requests: UInt64
  }

  /// From now on ids are `00000000-0000-7000-8000-000000000001` and so on.
  package static func count() {
    resources.store(1, ordering: .relaxed)
    requests.store(1, ordering: .relaxed)
  }

  /// Whether ids are counted, and whatever else is made up is to be the same in each run.
  package static var isCounting: Bool { resources.load(ordering: .relaxed) > 0 }

  package static var mark: Mark {
    Mark(
      resources: resources.load(ordering: .relaxed), requests: requests.load(ordering: .relaxed))
  }

  /// Counts on from where the ids stood at a mark.
  package static func goBack(to mark: Mark) {
    resources.store(mark.resources, ordering: .relaxed)
    requests.store(mark.requests, ordering: .relaxed)
  }

  /// The next counted id of a resource; nil while ids are made at random.
  static func nextResource() -> UUID? { next(resources, variant: 0x80) }

  /// The next counted id of a request; nil while ids are made at random.
  package static func nextRequest() -> UUID? { next(requests, variant: 0x90) }

  /// A version 7 UUID as far as its form goes (RFC 9562 §5.7), of the time 0.
  private static func next(_ counter: borrowing Atomic<UInt64>, variant: UInt8) -> UUID? {
    guard counter.load(ordering: .relaxed) > 0 else { return nil }
    let number = counter.wrappingAdd(1, ordering: .relaxed).oldValue
    func byte(_ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
    return UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0x70, 0, variant, 0, byte(40), byte(32), byte(24), byte(16), byte(8),
        byte(0)
      ))
  }
}

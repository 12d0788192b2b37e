import FoundationEssentials
import HTTP
import Inventory
import JSON

/// Creates ids, version 7 UUIDs, for requests without one.
struct RequestIDs {
  // A generator without system calls. The ids need not be unpredictable.
  private var state: UInt64 = .random(in: .min ... .max)

  /// The client's own id if it is short, printable and contains no token; otherwise a new id.
  mutating func id(for fields: Fields) -> String {
    guard let given = fields["x-request-id"], (1...128).contains(given.utf8.count),
      given.hasOnlyLettersDigits(and: "-_.:/+=@"), given.withoutTokens == given
    else { return next() }
    return given
  }

  /// A version 7 UUID (RFC 9562 §5.7) as text.
  mutating func next() -> String {
    if let counted = NewIdentifiers.nextRequest() { return counted.description.lowercased() }
    let milliseconds = UInt64(max(0, Date().timeIntervalSince1970 * 1000))
    let high = milliseconds << 16 | 0x7000 | random() >> 52
    let low = 1 << 63 | random() >> 2
    var writer = JSONWriter(capacity: 40)
    writer.uuid(high, low)
    return writer.withBytes { String(decoding: $0[1..<37], as: UTF8.self) }
  }

  /// The next number of SplitMix64.
  private mutating func random() -> UInt64 {
    state &+= 1
    return SplitMix64.word(state)
  }
}

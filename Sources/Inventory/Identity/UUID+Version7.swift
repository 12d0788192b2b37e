import FoundationEssentials

extension UUID {
  /// A new version 7 UUID (RFC 9562 §5.7): 48 bits of Unix milliseconds, then 74 random bits.
  ///
  /// Ids created in sequence sort in sequence, which keeps the store's index of ids dense.
  package static func version7(at date: Date = Date()) -> UUID {
    if let counted = NewIdentifiers.nextResource() { return counted }
    let milliseconds = UInt64(max(0, date.timeIntervalSince1970 * 1000))
    let high = UInt64.random(in: .min ... .max)
    let low = UInt64.random(in: .min ... .max)
    func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: value >> shift)
    }
    return UUID(
      uuid: (
        byte(milliseconds, 40), byte(milliseconds, 32), byte(milliseconds, 24),
        byte(milliseconds, 16), byte(milliseconds, 8), byte(milliseconds, 0),
        0x70 | (byte(high, 8) & 0x0F), byte(high, 0),
        0x80 | (byte(low, 56) & 0x3F), byte(low, 48), byte(low, 40), byte(low, 32),
        byte(low, 24), byte(low, 16), byte(low, 8), byte(low, 0)
      ))
  }
}

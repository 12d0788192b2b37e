/// Writes UUIDs as lowercase text (RFC 9562, section 4).
enum UUIDText {
  /// Writes 36 characters and returns their end.
  @inline(__always)
  static func put(
    _ high: UInt64, _ low: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let words = (
      hexadecimal(UInt32(truncatingIfNeeded: high >> 32)),
      hexadecimal(UInt32(truncatingIfNeeded: high)),
      hexadecimal(UInt32(truncatingIfNeeded: low >> 32)),
      hexadecimal(UInt32(truncatingIfNeeded: low))
    )
    let target = UnsafeMutableRawPointer(start)
    target.storeBytes(of: words.0, as: UInt64.self)
    start[8] = UInt8(ascii: "-")
    target.storeBytes(
      of: UInt32(truncatingIfNeeded: words.1), toByteOffset: 9, as: UInt32.self)
    start[13] = UInt8(ascii: "-")
    target.storeBytes(
      of: UInt32(truncatingIfNeeded: words.1 >> 32), toByteOffset: 14, as: UInt32.self)
    start[18] = UInt8(ascii: "-")
    target.storeBytes(
      of: UInt32(truncatingIfNeeded: words.2), toByteOffset: 19, as: UInt32.self)
    start[23] = UInt8(ascii: "-")
    target.storeBytes(
      of: UInt32(truncatingIfNeeded: words.2 >> 32), toByteOffset: 24, as: UInt32.self)
    target.storeBytes(of: words.3, toByteOffset: 28, as: UInt64.self)
    return start + 36
  }

  /// Eight hexadecimal digits, the first in the lowest byte, which is memory order on a little-endian machine.
  @inline(__always)
  private static func hexadecimal(_ value: UInt32) -> UInt64 {
    // Spreads the nibbles to one byte each.
    var nibbles = UInt64(value)
    nibbles = (nibbles << 16 | nibbles) & 0x0000_ffff_0000_ffff
    nibbles = (nibbles << 8 | nibbles) & 0x00ff_00ff_00ff_00ff
    nibbles = (nibbles << 4 | nibbles) & 0x0f0f_0f0f_0f0f_0f0f
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Adding six carries into the next nibble for values from ten on, the letters.
    let letters = ((nibbles &+ ones &* 6) >> 4) & ones
    let distance = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
    let digits = nibbles &+ ones &* UInt64(UInt8(ascii: "0")) &+ letters &* distance
    return digits.byteSwapped
  }
}

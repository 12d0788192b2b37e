/// Writes numbers in decimal digits.
enum DecimalDigits {
  /// Writes magnitude × 10^−places without needless zeros and returns the end of the text.
  @inline(__always)
  static func put<Magnitude: FixedWidthInteger & UnsignedInteger>(
    _ magnitude: Magnitude, places: Int, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var rest = magnitude
    var kept = places
    while kept > 0 {
      let (tenth, digit) = rest.quotientAndRemainder(dividingBy: 10)
      guard digit == 0 else { break }
      rest = tenth
      kept -= 1
    }
    guard kept > 0 else { return putWhole(rest, to: start) }
    // Zeros are written up to the one before the point: 5 with 2 places is 0.05.
    let digits = max(count(rest), kept + 1)
    let end = start + digits + 1
    let point = end - kept - 1
    var place = end
    while place > start {
      place -= 1
      if place == point {
        place.pointee = UInt8(ascii: ".")
      } else {
        let (tenth, digit) = rest.quotientAndRemainder(dividingBy: 10)
        place.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = tenth
      }
    }
    return end
  }

  @inline(__always)
  private static func putWhole<Magnitude: FixedWidthInteger & UnsignedInteger>(
    _ magnitude: Magnitude, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let end = start + count(magnitude)
    var rest = magnitude
    var place = end
    repeat {
      let (tenth, digit) = rest.quotientAndRemainder(dividingBy: 10)
      place -= 1
      place.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = tenth
    } while place > start
    return end
  }

  @inline(__always)
  private static func count<Magnitude: FixedWidthInteger & UnsignedInteger>(
    _ magnitude: Magnitude
  ) -> Int {
    var count = 1
    var rest = magnitude
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }
}

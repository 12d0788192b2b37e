/// A JSON number that keeps its text. Values are computed exactly from its digits.
package struct JSONNumber: Sendable {
  /// The number's text, in the grammar of RFC 8259, section 6.
  package let text: String

  package init(_ value: Int64) { text = String(value) }

  /// Parses a number. Nil if the reader would refuse the text.
  package init?(text: String) {
    guard case .number(let number)? = try? JSONReader.parse(Array(text.utf8)),
      number.text.utf8.count == text.utf8.count
    else { return nil }
    self = number
  }

  /// Takes a text that already passed the grammar and the limits.
  init(checked text: String) { self.text = text }

  package enum ScalingError: Error, Sendable {
    case tooManyPlaces, outOfRange
  }

  /// The value as a 64-bit integer, for every spelling ("5", "5.0", "5e0"). Nil for a fraction, or outside of
  /// the range.
  package var int64: Int64? { scaled(places: 0) }

  /// The value × 10^places. Nil if `exactly` would throw.
  package func scaled(places: Int) -> Int64? { try? exactly(places: places) }

  /// The value × 10^places without rounding: with 2 places 12.34 is 1234, and 12.345 throws `tooManyPlaces`.
  package func exactly(places: Int) throws(ScalingError) -> Int64 {
    if places == 0, let short = shortInteger { return short }
    let decimal = Decimal(text)
    guard !decimal.digits.isEmpty else { return 0 }
    let zeros = decimal.exponent + places
    guard zeros >= 0 else { throw .tooManyPlaces }
    guard zeros < 19 else { throw .outOfRange }
    var value: Int64 = 0
    for position in 0..<(decimal.digits.count + zeros) {
      let digit = position < decimal.digits.count ? Int64(decimal.digits[position]) : 0
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      // Negative numbers are summed downwards, because -Int64.min does not fit.
      let (sum, carry) = tenfold.addingReportingOverflow(decimal.isNegative ? -digit : digit)
      guard !overflow, !carry else { throw .outOfRange }
      value = sum
    }
    return value
  }

  /// The nearest Double. It is finite, because the reader refuses numbers that are not.
  package var double: Double { Double(text) ?? 0 }

  /// A fast path for integers of up to 18 characters. Nil if the text has any other form.
  private var shortInteger: Int64? {
    guard text.utf8.count <= 18 else { return nil }
    var value: Int64 = 0
    var isNegative = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "-"): isNegative = true
      default: return nil
      }
    }
    return isNegative ? -value : value
  }
}

extension JSONNumber {
  /// A text that is the same for every spelling of a value: its digits without outer zeros, and the exponent.
  package var canonicalText: String {
    let decimal = Decimal(text)
    let digits = decimal.digits.map(String.init).joined()
    return "\(decimal.isNegative ? "-" : "")\(digits)e\(decimal.exponent)"
  }
}

extension JSONNumber: Equatable {
  /// Compares exact values: 1.0 equals 1e0, and 0.1 does not equal 0.1000000000000000001.
  package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || Decimal(left.text) == Decimal(right.text)
  }
}

/// ± digits × 10^exponent, normalized: the digits neither begin nor end with 0, and the value zero
/// has no digits.
private struct Decimal: Equatable {
  var isNegative = false
  var digits: [UInt8] = []
  var exponent = 0

  init(_ text: String) {
    var written = 0
    var isWritten = false
    var isExponentNegative = false
    var isFraction = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "e"), UInt8(ascii: "E"): isWritten = true
      case UInt8(ascii: "-"):
        if isWritten { isExponentNegative = true } else { isNegative = true }
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "."): isFraction = true
      default:
        let digit = byte - UInt8(ascii: "0")
        if isWritten {
          // The reader limits the exponent's digits, so this does not overflow.
          written = written * 10 + Int(digit)
        } else {
          if isFraction { exponent -= 1 }
          if digit != 0 || !digits.isEmpty { digits.append(digit) }
        }
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    exponent += isExponentNegative ? -written : written
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
  }
}

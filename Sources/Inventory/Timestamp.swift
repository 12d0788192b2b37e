import FoundationEssentials

/// A moment in whole seconds since 1970-01-01T00:00:00Z, written as RFC 3339 in UTC.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let seconds: Int64
  package init(seconds: Int64) { self.seconds = seconds }
  package init(_ date: Date) { seconds = Int64(date.timeIntervalSince1970.rounded(.down)) }

  /// The years that four digits can name, 0001 to 9999.
  package static let range =
    Timestamp(seconds: -62_135_596_800)...Timestamp(seconds: 253_402_300_799)

  /// Reads an RFC 3339 date-time; an offset is taken into UTC, a fraction of a second is dropped.
  package init?(rfc3339 text: String) {
    // Foundation's parser is more lenient than RFC 3339 §5.6 in the shape of the text.
    let bytes = Array(text.utf8)
    let digits = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18]
    guard (20...40).contains(bytes.count), digits.allSatisfy({ (48...57).contains(bytes[$0]) }),
      bytes[4] == 45, bytes[7] == 45, bytes[10] | 0x20 == 0x74, bytes[13] == 58, bytes[16] == 58
    else { return nil }
    let fractional = bytes[19] == UInt8(ascii: ".")
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fractional)
    guard let date = try? style.parse(text.uppercased()) else { return nil }
    let timestamp = Timestamp(date)
    // A day such as 30 February would otherwise roll over into March.
    guard Timestamp.range.contains(timestamp), Timestamp.isDay(Array(bytes[0..<10])) else {
      return nil
    }
    self = timestamp
  }

  package var description: String {
    // Foundation's formatter takes a microsecond, and every answer about a list or an item has two.
    // Days before 1582-10-15 are left to it, since it counts them, also when reading, as Julian.
    guard seconds >= -12_219_292_800, self <= Timestamp.range.upperBound else {
      return Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle())
    }
    let sinceYear0 = seconds + 62_162_035_200
    let (year, month, day) = Timestamp.date(sinceYear0 / 86_400)
    let second = sinceYear0 % 86_400
    let parts: [(number: Int64, digits: Int, mark: UInt8)] = [
      (year, 4, UInt8(ascii: "-")), (month, 2, UInt8(ascii: "-")), (day, 2, UInt8(ascii: "T")),
      (second / 3600, 2, UInt8(ascii: ":")), (second / 60 % 60, 2, UInt8(ascii: ":")),
      (second % 60, 2, UInt8(ascii: "Z")),
    ]
    return String(unsafeUninitializedCapacity: 20) { text in
      var end = 0
      for part in parts {
        var rest = part.number
        for place in (end..<end + part.digits).reversed() {
          text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
        end += part.digits
        text[end] = part.mark
        end += 1
      }
      return end
    }
  }

  /// The Gregorian date of a day counted from 0000-03-01, in years that begin in March so that leap
  /// days come last.
  private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let era = day / 146_097
    let dayOfEra = day % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds < right.seconds
  }

  private static func isDay(_ text: [UInt8]) -> Bool {
    func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1 - 48) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...12).contains(month) && (1...lengths[month - 1]).contains(day)
  }
}

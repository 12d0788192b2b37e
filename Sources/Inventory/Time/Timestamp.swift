import FoundationEssentials

/// A moment in whole seconds since 1970-01-01T00:00:00Z, written as RFC 3339 in UTC.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let seconds: Int64
  package init(seconds: Int64) { self.seconds = seconds }
  package init(_ date: Date) { seconds = Int64(date.timeIntervalSince1970.rounded(.down)) }

  /// The years 0001 to 9999, which have four digits.
  package static let range =
    Timestamp(seconds: -62_135_596_800)...Timestamp(seconds: 253_402_300_799)

  /// Reads an RFC 3339 §5.6 date-time. Drops fractions of a second, and converts an offset to UTC. Nil for a leap
  /// second (§5.7), because 23:59:60 would become 00:00:00 of the next day.
  ///
  /// Foundation's parser accepts invalid texts, and counts days before 1582 by the Julian calendar.
  package init?(rfc3339 text: String) {
    var reader = DateTimeReader(text)
    guard let year = reader.number(digits: 4), reader.skip("-"),
      let month = reader.number(digits: 2), reader.skip("-"),
      let day = reader.number(digits: 2), reader.skip("T", "t"),
      let hour = reader.number(digits: 2), reader.skip(":"),
      let minute = reader.number(digits: 2), reader.skip(":"),
      let second = reader.number(digits: 2), reader.skipFraction(),
      let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    guard (1...12).contains(month), (1...CivilDate.days(in: month, of: year)).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    self.init(
      seconds: Int64(days) * 86_400 + Int64(hour * 3_600 + (minute - offset) * 60 + second))
    guard Timestamp.range.contains(self) else { return nil }
  }

  /// The year in UTC.
  package var year: Int {
    CivilDate(daysSince1970: Int(seconds).quotientAndRemainder(flooringBy: 86_400).quotient).year
  }

  package var description: String {
    let (days, second) = Int(seconds).quotientAndRemainder(flooringBy: 86_400)
    let date = CivilDate(daysSince1970: days)
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
      + "T\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds < right.seconds
  }
}

/// Reads a date-time from front to back.
private struct DateTimeReader {
  private var rest: Substring.UTF8View
  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  private mutating func digit() -> Int? {
    guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
    rest.removeFirst()
    return Int(byte) - 0x30
  }

  mutating func skip(_ choices: Unicode.Scalar...) -> Bool {
    guard let byte = rest.first, choices.contains(Unicode.Scalar(byte)) else { return false }
    rest.removeFirst()
    return true
  }

  /// Skips a fraction, if any. Returns false for a point without digits.
  mutating func skipFraction() -> Bool {
    guard skip(".") else { return true }
    guard digit() != nil else { return false }
    while digit() != nil {}
    return true
  }

  /// The offset in minutes east of UTC.
  mutating func offset() -> Int? {
    if skip("Z", "z") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+", "-"), let hours = number(digits: 2), skip(":"),
      let minutes = number(digits: 2), hours < 24, minutes < 60
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }
}

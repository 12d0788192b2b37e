/// Writes HTTP dates (RFC 9110 §5.6.7).
package enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// A date like `Sun, 06 Nov 1994 08:49:37 GMT`, for seconds from 1970 to the year 9999.
  package static func text(_ seconds: Int) -> String {
    let day = seconds / 86_400
    let time = seconds % 86_400
    let (year, month, dayOfMonth) = civil(day)
    return "\(days[day % 7]), \(pad(dayOfMonth)) \(months[month - 1]) \(year) "
      + "\(pad(time / 3600)):\(pad(time / 60 % 60)):\(pad(time % 60)) GMT"
  }

  private static func pad(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// The Gregorian date of a day counted from 1970-01-01. Years begin in March here, so that leap days come last.
  private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }
}

/// A day of the Gregorian calendar, extended to dates before its introduction.
///
/// The arithmetic is Howard Hinnant's: https://howardhinnant.github.io/date_algorithms.html. Years
/// begin in March, so the leap day is their last day. 400 years are an era.
struct CivilDate {
  var year: Int
  var month: Int
  var day: Int

  private static let daysOfEra = 146_097
  /// The days from 1 March of year 0 to 1 January 1970.
  private static let daysBefore1970 = 719_468
}

extension CivilDate {
  init(daysSince1970 days: Int) {
    let (era, day) = (days + Self.daysBefore1970).quotientAndRemainder(flooringBy: Self.daysOfEra)
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: year + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  var daysSince1970: Int {
    let (era, year) = (month <= 2 ? self.year - 1 : self.year)
      .quotientAndRemainder(flooringBy: 400)
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = year * 365 + year / 4 - year / 100 + dayOfYear
    return era * Self.daysOfEra + dayOfEra - Self.daysBefore1970
  }

  static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}

extension Int {
  /// Division whose remainder is never negative.
  func quotientAndRemainder(flooringBy divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

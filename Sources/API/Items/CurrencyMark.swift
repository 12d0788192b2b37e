import Inventory

/// The sign or the code of a currency beside an amount, as spreadsheets write it: `$1,299.50`, `45 €`, `CHF 12`.
enum CurrencyMark {
  /// Signs that several programs use, and the currencies that each may mean.
  private static let signs: [(sign: String, codes: Set<String>)] = [
    ("$", ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP"]),
    ("US$", ["USD"]), ("€", ["EUR"]), ("£", ["GBP", "EGP"]), ("¥", ["JPY", "CNY"]),
    ("₹", ["INR"]), ("₩", ["KRW"]), ("₪", ["ILS"]), ("₺", ["TRY"]), ("₽", ["RUB"]),
    ("₴", ["UAH"]), ("zł", ["PLN"]), ("kr", ["SEK", "NOK", "DKK"]), ("Kč", ["CZK"]),
  ]

  /// Why a text with the sign of another currency is no amount; nil if it has none.
  static func fault(in amount: String, _ currency: Currency?) -> String? {
    guard
      amount.unicodeScalars.contains(where: { $0.properties.generalCategory == .currencySymbol })
    else { return nil }
    return "The values of this inventory are in \(currency.code)."
  }

  /// An amount without the mark of a currency, and without the spaces beside it. A text with the mark of another
  /// currency, or with two marks, stays as it is.
  ///
  /// - Parameter currency: the inventory's; nil for US dollars.
  static func bare(_ text: String, _ currency: Currency?) -> String {
    let code = currency.code
    let marks = [code] + signs.filter { $0.codes.contains(code) }.map(\.sign)
    // The longest first: "US$" ends with "$".
    for mark in marks.sorted(by: { $0.utf8.count > $1.utf8.count }) where text != mark {
      if text.hasPrefix(mark) { return String(text.dropFirst(mark.count)).trimmed }
      if text.hasPrefix("-" + mark) { return "-" + String(text.dropFirst(mark.count + 1)).trimmed }
      if text.hasSuffix(mark) { return String(text.dropLast(mark.count)).trimmed }
    }
    return text
  }
}

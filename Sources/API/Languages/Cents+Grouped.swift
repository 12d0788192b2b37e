import Inventory

extension Cents {
  /// The amount in dollars with grouped thousands: 1,250 or 0.50.
  var grouped: String {
    let (dollars, cents) = amount.quotientAndRemainder(dividingBy: 100)
    var groups: [Substring] = []
    var digits = String(dollars)[...]
    while !digits.isEmpty {
      groups.append(digits.suffix(3))
      digits = digits.dropLast(3)
    }
    let whole = groups.reversed().joined(separator: ",")
    return cents == 0 ? whole : whole + "." + (cents < 10 ? "0" : "") + String(cents)
  }
}

/// How to display a stored image: mirror it left to right or not, then turn it. Each transformation applies to the
/// result of those before.
struct Turning {
  private var isMirrored = false
  /// Quarter turns counterclockwise, 0 to 3.
  private var quarters = 0

  /// The orientation, 1 to 8 (Exif 2.32 §4.6.4).
  var orientation: Int { (isMirrored ? [2, 5, 4, 7] : [1, 8, 3, 6])[quarters] }

  /// Whether the stored width is displayed as the height.
  var isOnItsSide: Bool { quarters % 2 == 1 }

  mutating func turn(againstClock quarters: Int) {
    self.quarters = (self.quarters + quarters) & 3
  }

  mutating func exchangeLeftAndRight() {
    // In a mirror image, a turn goes the other way.
    isMirrored.toggle()
    quarters = -quarters & 3
  }

  mutating func exchangeTopAndBottom() {
    exchangeLeftAndRight()
    turn(againstClock: 2)
  }
}

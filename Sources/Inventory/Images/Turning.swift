/// How an image as it is stored becomes the one that is shown: its left and right exchanged or not, and then
/// turned. What is done to it is done to what would be shown so far.
struct Turning {
  private var isMirrored = false
  /// Against the clock, 0 to 3.
  private var quarters = 0

  /// 1 to 8, as Exif 2.32 §4.6.4 has it.
  var orientation: Int { (isMirrored ? [2, 5, 4, 7] : [1, 8, 3, 6])[quarters] }

  /// Whether the stored width is shown as the height.
  var isOnItsSide: Bool { quarters % 2 == 1 }

  mutating func turn(againstClock quarters: Int) {
    self.quarters = (self.quarters + quarters) & 3
  }

  mutating func exchangeLeftAndRight() {
    // Seen in a mirror, a turn goes the other way.
    isMirrored.toggle()
    quarters = -quarters & 3
  }

  mutating func exchangeTopAndBottom() {
    exchangeLeftAndRight()
    turn(againstClock: 2)
  }
}

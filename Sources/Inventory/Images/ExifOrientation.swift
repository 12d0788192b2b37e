/// The orientation in a block of Exif, which has the form of a TIFF file (Exif 2.32 §4.6.2).
enum ExifOrientation {
  private static let tag = 0x0112
  private static let short = 3
  /// The most entries of a directory to read. Cameras write a few dozen.
  private static let mostEntries = 500

  /// The orientation, 1 to 8; nil if there is none. The block may start with "Exif" and two zeros, as in JPEG.
  static func read(_ window: ByteWindow) -> Int? {
    let start = window.has("Exif\0\0", at: 0) ? 6 : 0
    let isLittle = window.has("II", at: start)
    guard isLittle || window.has("MM", at: start) else { return nil }
    func number(_ place: Int, _ count: Int) -> Int? {
      isLittle ? window.little(start + place, count) : window.big(start + place, count)
    }
    guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2)
    else { return nil }
    for entry in 0..<min(count, mostEntries) {
      let place = directory + 2 + entry * 12
      guard let found = number(place, 2) else { return nil }
      if found == tag {
        guard number(place + 2, 2) == short, let value = number(place + 8, 2),
          (1...8).contains(value)
        else { return nil }
        return value
      }
    }
    return nil
  }
}

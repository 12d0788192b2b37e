/// The id of a list, an item or a row as a number, so that long lists take little room and are searched quickly.
struct RowKey: Hashable, Sendable, BitwiseCopyable {
  private let number: UInt128

  /// - Parameter text: A UUID. Other texts get a key that no row has.
  init(_ text: String) {
    var (number, digits) = (UInt128(0), 0)
    for byte in text.utf8 where byte != UInt8(ascii: "-") {
      guard let digit = Self.digit(byte) else {
        digits = 0
        break
      }
      number = number << 4 | UInt128(digit)
      digits += 1
    }
    self.number = digits == 32 ? number : .max
  }

  init<Resource>(_ id: Identifier<Resource>) { self.init(id.rawValue) }

  /// The UUID in lower case.
  var text: String {
    String(unsafeUninitializedCapacity: 36) { bytes in
      var (place, shift) = (0, 128)
      while shift > 0 {
        if [8, 13, 18, 23].contains(place) {
          bytes[place] = UInt8(ascii: "-")
          place += 1
        }
        shift -= 4
        let digit = UInt8(truncatingIfNeeded: number >> UInt128(shift) & 15)
        bytes[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        place += 1
      }
      return place
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

import FoundationEssentials
import Inventory

/// The values of a path's placeholders; those that the template does not have mean nothing.
struct PathValues: Sendable {
  enum Placeholder: String, Sendable {
    case list = "{listId}"
    case item = "{itemId}"
    case row = "{rowId}"
    case index = "{index}"
    case code = "{code}"
  }

  var list = ListReference.root
  var item = ItemID(nowhere)
  var row = RowID(nowhere)
  var index: Int?
  var code = ""

  private static let nowhere = UUID(
    uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// Reads one segment; false if nothing can be named so.
  mutating func take(_ placeholder: Placeholder, _ path: [UInt8], _ segment: Range<Int>) -> Bool {
    switch placeholder {
    case .list:
      if segment.count == 4, path[segment].elementsEqual("root".utf8) {
        list = .root
        return true
      }
      guard let uuid = UUID(text: path, segment) else { return false }
      list = .id(ListID(uuid))
    case .item:
      guard let uuid = UUID(text: path, segment) else { return false }
      item = ItemID(uuid)
    case .row:
      guard let uuid = UUID(text: path, segment) else { return false }
      row = RowID(uuid)
    case .index: index = Int(digits: String(decoding: path[segment], as: UTF8.self))
    case .code: code = String(decoding: path[segment], as: UTF8.self)
    }
    return true
  }
}

extension UUID {
  /// Reads the 36-character form (RFC 9562 §4) in either letter case, without making a string.
  init?(text: [UInt8], _ range: Range<Int>) {
    guard range.count == 36 else { return nil }
    var halves = (high: UInt64(0), low: UInt64(0))
    for offset in 0..<36 {
      let byte = text[range.lowerBound + offset]
      if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      if offset < 18 {
        halves.high = halves.high << 4 | UInt64(digit)
      } else {
        halves.low = halves.low << 4 | UInt64(digit)
      }
    }
    let bytes = (halves.high.bigEndian, halves.low.bigEndian)
    self = withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension Int {
  /// Reads decimal digits with an optional minus, and nothing else; nil also beyond 64 bits.
  init?(digits text: String) {
    let unsigned = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !unsigned.isEmpty,
      unsigned.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    self.init(text)
  }
}

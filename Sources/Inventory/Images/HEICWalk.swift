/// Finds the box that describes a HEIC's images (ISO/IEC 14496-12 §8.11), and reads of the main one what is
/// said there.
struct HEICWalk: HeaderWalk {
  /// A box's length and name, and the long form of the length.
  static let headLength = 16

  private var isAtMeta = false

  mutating func look(at window: ByteWindow, _ facts: inout ImageFacts?) -> HeaderStep {
    if isAtMeta {
      readMeta(window, &facts)
      return .end
    }
    guard var length = window.big(0, 4) else { return .end }
    var head = 8
    if length == 1 {
      // Of the 64 bits, the highest byte is not used by any file that fits on a disk.
      guard window[8] == 0, let long = window.big(9, 7) else { return .end }
      length = long
      head = 16
    }
    guard length >= head else { return .end }
    if window.has("meta", at: 4) {
      isAtMeta = true
      return .look(at: window.start + head, length - head)
    }
    return .look(at: window.start + length, Self.headLength)
  }

  private typealias Box = (name: Int, contents: Range<Int>)

  private static let mainItem = name("pitm")
  private static let properties = name("iprp")
  private static let container = name("ipco")
  private static let association = name("ipma")
  private static let sides = name("ispe")
  private static let turn = name("irot")
  private static let mirror = name("imir")

  private static func name(_ text: StaticString) -> Int {
    text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  private func boxes(in range: Range<Int>, _ window: ByteWindow) -> [Box] {
    var boxes: [Box] = []
    var start = range.lowerBound
    while start < range.upperBound, let length = window.big(start, 4),
      let name = window.big(start + 4, 4), length >= 8, length <= range.upperBound - start
    {
      boxes.append((name, (start + 8)..<(start + length)))
      start += length
    }
    return boxes
  }

  private func readMeta(_ window: ByteWindow, _ facts: inout ImageFacts?) {
    // A version and flags come first, as in each of the boxes that are read below.
    let boxes = boxes(in: min(4, window.count)..<window.count, window)
    guard let main = boxes.first(where: { $0.name == Self.mainItem }),
      let properties = boxes.first(where: { $0.name == Self.properties }),
      let version = window[main.contents.lowerBound],
      let item = window.big(main.contents.lowerBound + 4, version == 0 ? 2 : 4)
    else { return }
    let parts = self.boxes(in: properties.contents, window)
    guard let container = parts.first(where: { $0.name == Self.container }) else { return }
    let all = self.boxes(in: container.contents, window)
    var found = facts
    var (turns, isMirrored) = (0, false)
    for association in parts where association.name == Self.association {
      // Numbers start at 1; 0 is no property.
      for number in numbers(of: item, in: association.contents, window)
      where all.indices.contains(number - 1) {
        let property = all[number - 1]
        let start = property.contents.lowerBound
        switch property.name {
        case Self.sides where found?.width == nil:
          found?.setSides(window.big(start + 4, 4), window.big(start + 8, 4))
        case Self.turn: turns = (window[start] ?? 0) & 3
        case Self.mirror: isMirrored = true
        default: break
        }
      }
    }
    // Quarter turns against the clock, as Exif names them; editions differ on what a mirror is.
    found?.orientation = isMirrored ? nil : [1, 8, 3, 6][turns]
    facts = found
  }

  /// The properties of one item (ISO/IEC 23008-12 §9.3.1).
  private func numbers(of item: Int, in range: Range<Int>, _ window: ByteWindow) -> [Int] {
    var place = range.lowerBound
    guard let head = window.big(place, 4), let count = window.big(place + 4, 4) else { return [] }
    let itemLength = head >> 24 == 0 ? 2 : 4
    let numberLength = head & 1 == 0 ? 1 : 2
    place += 8
    for _ in 0..<count {
      guard place < range.upperBound, let found = window.big(place, itemLength),
        let length = window[place + itemLength]
      else { return [] }
      place += itemLength + 1
      if found == item {
        // The highest bit says whether a reader has to understand the property.
        return (0..<length).compactMap { window.big(place + $0 * numberLength, numberLength) }
          .map { $0 & (numberLength == 1 ? 0x7F : 0x7FFF) }
      }
      place += length * numberLength
    }
    return []
  }
}

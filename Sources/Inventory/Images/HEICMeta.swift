/// The box that describes a HEIC's images, and the properties of the main image (ISO/IEC 23008-12:2022 §6.5, §9.3).
///
/// A main image that is assembled from tiles has properties of its own. The orientation in a HEIC's Exif is ignored
/// (ISO/IEC 23000-22 §7.3.10). It often repeats the property for rotation, so using both would turn the image twice.
struct HEICMeta {
  private struct Box {
    let name: String
    let contents: Range<Int>
  }

  /// The contents of the box.
  private let window: ByteWindow

  init(_ window: ByteWindow) { self.window = window }

  /// Sets the orientation, and the stored width and height of the part that is displayed.
  func describe(_ facts: inout ImageMetadata?) {
    // Skips the version and flags. All boxes read below have them, except boxes that only contain boxes.
    let boxes = boxes(in: min(4, window.count)..<window.count)
    guard let main = boxes.first(where: { $0.name == "pitm" }), let item = item(main),
      let properties = boxes.first(where: { $0.name == "iprp" })
    else { return }
    let parts = self.boxes(in: properties.contents)
    guard let container = parts.first(where: { $0.name == "ipco" }) else { return }
    let all = self.boxes(in: container.contents)
    // Numbers start at 1. 0 is no property.
    var own: [Box] = []
    for part in parts where part.name == "ipma" {
      for number in numbers(of: item, in: part.contents) where all.indices.contains(number - 1) {
        own.append(all[number - 1])
      }
    }
    if let sides = own.first(where: { $0.name == "ispe" }) {
      facts?.setSides(number(sides, 4, 4), number(sides, 8, 4))
    }
    var turning = Turning()
    // Transformations apply in the order in which they are associated.
    for property in own {
      switch property.name {
      case "clap": crop(&facts, to: property, turning)
      case "irot":
        turning.turn(againstClock: (number(property, 0, 1) ?? 0) & 3)
      case "imir":
        switch number(property, 0, 1).map({ $0 & 1 }) {
        case 0?: turning.exchangeTopAndBottom()
        case 1?: turning.exchangeLeftAndRight()
        default: break
        }
      default: break
      }
    }
    facts?.orientation = turning.orientation
  }

  private func item(_ main: Box) -> Int? {
    guard let version = number(main, 0, 1) else { return nil }
    return number(main, 4, version == 0 ? 2 : 4)
  }

  /// Applies the clean aperture (ISO/IEC 14496-12 §12.1.4), whose sides are fractions. One that is not in whole pixels,
  /// or is larger than the image, is ignored.
  private func crop(_ facts: inout ImageMetadata?, to property: Box, _ turning: Turning) {
    guard let width = whole(property, 0), let height = whole(property, 8) else { return }
    let (across, down) = turning.isOnItsSide ? (height, width) : (width, height)
    guard let stored = facts, across <= stored.width ?? 0, down <= stored.height ?? 0 else {
      return
    }
    facts?.setSides(across, down)
  }

  /// The value of a fraction; nil if it is not a whole number.
  private func whole(_ box: Box, _ place: Int) -> Int? {
    guard let numerator = number(box, place, 4), let denominator = number(box, place + 4, 4),
      denominator > 0, numerator % denominator == 0
    else { return nil }
    return numerator / denominator
  }

  /// The numbers of an item's properties, in order (ISO/IEC 23008-12 §9.3.1).
  private func numbers(of item: Int, in range: Range<Int>) -> [Int] {
    let box = Box(name: "ipma", contents: range)
    guard let head = number(box, 0, 4), let count = number(box, 4, 4) else { return [] }
    let itemLength = head >> 24 == 0 ? 2 : 4
    let numberLength = head & 1 == 0 ? 1 : 2
    var place = 8
    for _ in 0..<count {
      guard let found = number(box, place, itemLength),
        let length = number(box, place + itemLength, 1)
      else { return [] }
      place += itemLength + 1
      if found == item {
        // The highest bit marks properties that a reader must understand.
        return (0..<length).compactMap { number(box, place + $0 * numberLength, numberLength) }
          .map { $0 & (numberLength == 1 ? 0x7F : 0x7FFF) }
      }
      place += length * numberLength
    }
    return []
  }

  /// A number in a box; nil past the end of the box.
  private func number(_ box: Box, _ place: Int, _ count: Int) -> Int? {
    guard place + count <= box.contents.count else { return nil }
    return window.big(box.contents.lowerBound + place, count)
  }

  /// The complete boxes in a range.
  private func boxes(in range: Range<Int>) -> [Box] {
    var boxes: [Box] = []
    var start = range.lowerBound
    while start < range.upperBound, let name = window.text(start + 4, 4),
      let (head, length) = extent(at: start), length >= head, length <= range.upperBound - start
    {
      boxes.append(Box(name: name, contents: (start + head)..<(start + length)))
      start += length
    }
    return boxes
  }

  /// The length of a box, and of its head.
  private func extent(at start: Int) -> (head: Int, length: Int)? {
    guard let length = window.big(start, 4) else { return nil }
    guard length == 1 else { return (8, length) }
    // A window needs few of the 64 bits.
    return window.big(start + 8, 1) == 0 ? window.big(start + 9, 7).map { (16, $0) } : nil
  }
}

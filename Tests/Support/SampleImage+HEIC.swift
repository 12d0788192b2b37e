extension SampleImage {
  /// What a HEIC's main image goes through before it is shown.
  package enum HEICStep: Sendable {
    /// Quarter turns against the clock.
    case turn(Int)
    /// 0: top and bottom are exchanged; 1: left and right.
    case mirror(Int)
    /// To so many pixels, each a fraction.
    case crop(Int, Int = 1, by: Int, Int = 1)
    /// A box as it is written.
    case other(String, [UInt8])
  }

  /// How a HEIC says what it says.
  package struct HEICForm: Sendable {
    package var brand = "heic"
    /// Whether the image data comes before the metadata.
    package var isDataFirst = false
    /// Whether ids have 32 bits, properties' numbers 15 and lengths 64.
    package var isWide = false
    /// Whether the main image is named behind its properties.
    package var isNamedLast = false
    /// Whether the sides come after the steps.
    package var areSidesLast = false

    package init(_ set: (inout HEICForm) -> Void = { _ in }) { set(&self) }
  }

  /// The main image is put together of two tiles of half its width, which are turned in no way, beside another
  /// image that is turned in every way.
  package static func heic(
    _ width: Int = 640, _ height: Int = 480, _ steps: [HEICStep] = [],
    _ form: HEICForm = HEICForm()
  ) -> [UInt8] {
    let none = [UInt8](repeating: 0, count: 4)
    let wide: [UInt8] = form.isWide ? [1, 0, 0, 1] : none
    func box(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      form.isWide
        ? big(1, 4) + text(name) + big(contents.count + 16, 8) + contents
        : big(contents.count + 8, 4) + text(name) + contents
    }
    func id(_ id: Int) -> [UInt8] { big(id, form.isWide ? 4 : 2) }
    func sides(_ width: Int, _ height: Int) -> [UInt8] {
      box("ispe", none + big(width, 4) + big(height, 4))
    }
    func association(of item: Int, _ numbers: [Int]) -> [UInt8] {
      id(item) + [UInt8(truncatingIfNeeded: numbers.count)]
        + numbers.flatMap { form.isWide ? big($0 | 0x8000, 2) : big($0 | 0x80, 1) }
    }
    // The other image's, the tiles', the main image's.
    var properties = [
      sides(160, 120), box("irot", [3]), box("imir", [0]), sides(width / 2, height),
      sides(width, height),
    ]
    let first = properties.count + 1
    properties += steps.map { step in
      switch step {
      case .turn(let quarters): box("irot", [UInt8(truncatingIfNeeded: quarters)])
      case .mirror(let axis): box("imir", [UInt8(truncatingIfNeeded: axis)])
      case .crop(let width, let widthParts, by: let height, let heightParts):
        box(
          "clap",
          [width, widthParts, height, heightParts, 0, 1, 0, 1].flatMap { big($0, 4) })
      case .other(let name, let contents): box(name, contents)
      }
    }
    let own = Array(first..<(first + steps.count))
    let associations =
      wide + big(4, 4) + association(of: 1, [1, 2, 3]) + association(of: 5, [4])
      + association(of: 6, [4]) + association(of: 7, form.areSidesLast ? own + [5] : [5] + own)
    let name = box("pitm", wide + id(7))
    let description = box(
      "iprp", box("ipco", Array(properties.joined())) + box("ipma", associations))
    let meta = box(
      "meta",
      none + box("hdlr", none + none + text("pict") + [0])
        + (form.isNamedLast ? description + name : name + description))
    let data = box("mdat", [UInt8](repeating: 0xAB, count: 300))
    // A file begins with a short length, whatever follows.
    let brands = text(form.brand) + none + text("mif1") + text("miaf")
    let head = big(brands.count + 8, 4) + text("ftyp") + brands
    return head + (form.isDataFirst ? data + meta : meta + data) + box("free", none)
  }
}

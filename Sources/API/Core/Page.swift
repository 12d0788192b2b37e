import HTTP
import Inventory

/// One page of a collection, with links to the others.
struct Page: Sendable {
  /// The index of the first entry shown. For a page past the end it is the collection's count, or more.
  var first: Int
  var shown: Int
  var count: Int
  /// The last row shown.
  var lastRow: RowID?
  private let limit: Int
  /// Whether the page starts after a row (`after`), not at an index (`offset`).
  private let isAnchored: Bool

  init(
    _ window: PageWindow, first: Int = 0, shown: Int = 0, count: Int = 0, lastRow: RowID? = nil
  ) {
    self.first = first
    self.shown = shown
    self.count = count
    self.lastRow = lastRow
    limit = window.limit
    isAnchored = if case .after = window.start { true } else { false }
  }

  /// Whether this is the last page.
  var isLast: Bool { first + shown >= count }

  /// The value of the `Link` field (RFC 8288): relative references to the other pages, with the other query
  /// parameters unchanged.
  func links(for head: RequestHead, below prefix: BasePath) -> String {
    var links = PageLinks(for: head, below: prefix)
    links.add("offset=", "0", ">; rel=\"first\"")
    if first > 0 {
      links.add("offset=", String(max(0, min(first, count) - limit)), ">; rel=\"prev\"")
    }
    if !isLast {
      if isAnchored, let lastRow {
        links.add("after=", lastRow.description, ">; rel=\"next\"")
      } else {
        links.add("offset=", String(first + shown), ">; rel=\"next\"")
      }
    }
    let last = count == 0 ? 0 : (count - 1) / limit * limit
    links.add("offset=", String(last), ">; rel=\"last\"")
    return links.text
  }
}

/// Builds the value of a `Link` field with the other pages of a collection (RFC 8288).
struct PageLinks {
  /// The start of each link: the path and the parameters that do not set the page's start.
  private let base: [UInt8]
  private var links: [UInt8] = []

  init(for head: RequestHead, below prefix: BasePath) {
    var base: [UInt8] = []
    // Written as bytes: strings took a tenth of the time that a cached page takes.
    base.reserveCapacity(128)
    base.append(UInt8(ascii: "<"))
    base += prefix.bytes
    Self.append(head.rawPath, to: &base)
    base.append(UInt8(ascii: "?"))
    for pair in head.rawQuery?.split(separator: UInt8(ascii: "&")) ?? [] {
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      guard !Self.setsPageStart(name) else { continue }
      Self.append(pair, to: &base)
      base.append(UInt8(ascii: "&"))
    }
    self.base = base
    links.reserveCapacity(4 * (base.count + 64))
  }

  mutating func add(_ parameter: StaticString, _ value: String, _ relation: StaticString) {
    if !links.isEmpty { links += [UInt8(ascii: ","), UInt8(ascii: " ")] }
    links += base
    parameter.withUTF8Buffer { links.append(contentsOf: $0) }
    links.append(contentsOf: value.utf8)
    relation.withUTF8Buffer { links.append(contentsOf: $0) }
  }

  var text: String { String(decoding: links, as: UTF8.self) }

  /// Whether the parameter sets the page's start. Its name may be percent-encoded.
  private static func setsPageStart(_ name: ArraySlice<UInt8>) -> Bool {
    var name = name
    if name.contains(UInt8(ascii: "%")), let plain = PercentEncoding.decode(name) {
      name = ArraySlice(plain.utf8)
    }
    return ["offset", "after", "before"].contains { name.elementsEqual($0.utf8) }
  }

  /// Appends the bytes and percent-encodes those not allowed between angle brackets.
  private static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "<"): text += Array("%3C".utf8)
      case UInt8(ascii: ">"): text += Array("%3E".utf8)
      case UInt8(ascii: "\""): text += Array("%22".utf8)
      default: text.append(byte)
      }
    }
  }
}

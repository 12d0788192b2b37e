import HTTP
import Inventory

/// One page of a collection, and where the others are.
struct Page: Sendable {
  /// The index of the first entry shown; the collection's count or more past its end.
  var first: Int
  var shown: Int
  var count: Int
  var limit: Int
  /// The last row shown, where pages are asked for by the row before them.
  var lastRow: RowID?

  /// Whether nothing follows.
  var isLast: Bool { first + shown >= count }

  /// The value of the `Link` field (RFC 8288): the pages as relative references, the other
  /// parameters as they came.
  func links(for head: RequestHead) -> String {
    var base = "<" + Self.safe(head.rawPath) + "?"
    if let query = head.rawQuery {
      for pair in query.split(separator: UInt8(ascii: "&")) {
        let name = pair.prefix { $0 != UInt8(ascii: "=") }
        guard !name.elementsEqual("offset".utf8), !name.elementsEqual("after".utf8) else {
          continue
        }
        base += Self.safe(pair) + "&"
      }
    }
    func link(_ offset: Int, _ relation: String) -> String {
      base + "offset=\(offset)>; rel=\"\(relation)\""
    }
    var links = [link(0, "first")]
    if first > 0 { links.append(link(max(0, min(first, count) - limit), "prev")) }
    if !isLast {
      links.append(
        lastRow.map { base + "after=\($0)>; rel=\"next\"" } ?? link(first + shown, "next"))
    }
    links.append(link(count == 0 ? 0 : (count - 1) / limit * limit, "last"))
    return links.joined(separator: ", ")
  }

  /// What can't stand between angle brackets, percent-encoded.
  private static func safe(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "<"): text += Array("%3C".utf8)
      case UInt8(ascii: ">"): text += Array("%3E".utf8)
      case UInt8(ascii: "\""): text += Array("%22".utf8)
      default: text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

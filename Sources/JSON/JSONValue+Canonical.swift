extension JSONValue {
  /// Bytes that are the same for equal values and differ for others: members are sorted by their keys'
  /// bytes, and numbers written by value. Use them to compare or hash; they are not JSON.
  package var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    appendCanonical(to: &bytes)
    return bytes
  }

  // The recursion is limited by the depth that the reader accepts.
  private func appendCanonical(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(UInt8(ascii: "n"))
    case .bool(let flag): bytes.append(flag ? UInt8(ascii: "t") : UInt8(ascii: "f"))
    case .number(let number): Self.append(number.canonicalText, UInt8(ascii: "#"), to: &bytes)
    case .string(let text): Self.append(text, UInt8(ascii: "\""), to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for element in elements { element.appendCanonical(to: &bytes) }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      let members = object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for member in members {
        Self.append(member.key, UInt8(ascii: "\""), to: &bytes)
        member.value.appendCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Writes a text after its length, so that two adjacent texts cannot equal two others.
  private static func append(_ text: String, _ mark: UInt8, to bytes: inout [UInt8]) {
    bytes.append(mark)
    bytes.append(contentsOf: String(text.utf8.count).utf8)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: text.utf8)
  }
}

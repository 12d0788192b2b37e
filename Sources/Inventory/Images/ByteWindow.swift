/// A range of an image's bytes. Bytes outside of it read as nil.
struct ByteWindow {
  let bytes: [UInt8]
  /// The offset of the first byte in the image.
  let start: Int

  var count: Int { bytes.count }

  subscript(_ index: Int) -> Int? { bytes.indices.contains(index) ? Int(bytes[index]) : nil }

  /// A big-endian number of `count` bytes.
  func big(_ index: Int, _ count: Int) -> Int? {
    number(index, count) { $0 << 8 | $1 }
  }

  /// A little-endian number of `count` bytes.
  func little(_ index: Int, _ count: Int) -> Int? {
    var shift = 0
    return number(index, count) { value, byte in
      defer { shift += 8 }
      return value | byte << shift
    }
  }

  /// A text of `count` bytes. Repairs invalid UTF-8.
  func text(_ index: Int, _ count: Int) -> String? {
    guard index >= 0, index <= bytes.count, bytes.count - index >= count else { return nil }
    return String(decoding: bytes[index..<(index + count)], as: UTF8.self)
  }

  /// Whether this ASCII text is at an index.
  func has(_ text: StaticString, at index: Int) -> Bool {
    text.withUTF8Buffer { text in
      index >= 0 && index <= bytes.count && bytes.count - index >= text.count
        && bytes[index..<(index + text.count)].elementsEqual(text)
    }
  }

  /// At most seven bytes, so that no number overflows.
  private func number(_ index: Int, _ count: Int, _ add: (Int, Int) -> Int) -> Int? {
    guard (1...7).contains(count), index >= 0, index <= bytes.count,
      bytes.count - index >= count
    else { return nil }
    return bytes[index..<(index + count)].reduce(0) { add($0, Int($1)) }
  }
}

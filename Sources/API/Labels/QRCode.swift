/// A QR code with error correction of level M, in version 1 to 15 (ISO/IEC 18004:2015).
package struct QRCode: Sendable, Equatable {
  /// Modules on each side, without the quiet zone.
  package let size: Int
  /// Whether each module is dark, row by row.
  package let modules: [Bool]

  /// The smallest code for a text. Nil if the text is too long: the largest code holds 412 bytes.
  package init?(_ text: String) {
    guard let data = QRData(text) else { return nil }
    let matrix = QRMatrix(version: data.version, codewords: data.codewords)
    (size, modules) = (matrix.size, matrix.modules)
  }

  /// Light modules that readers need around a code (§5.3.8).
  private static let quietZone = 4

  /// The code as an SVG document, with its quiet zone. One unit is one module.
  package var svg: String {
    let side = size + 2 * Self.quietZone
    var path = ""
    for y in 0..<size {
      var x = 0
      while x < size {
        let start = x
        while x < size, modules[y * size + x] { x += 1 }
        if x > start {
          path +=
            "M\(start + Self.quietZone) \(y + Self.quietZone)h\(x - start)v1H\(start + Self.quietZone)z"
        }
        x += 1
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(path)"/></svg>
      """
  }
}

/// The codewords of a QR code: the text, and the error correction of each block.
struct QRData {
  let version: Int
  /// Data and error correction, interleaved as they are placed in the code (§7.6).
  let codewords: [UInt8]

  /// Error correction codewords of each block, and blocks, by version at level M (table 9).
  private static let blocks: [(correction: Int, count: Int)] = [
    (10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5),
    (30, 5), (22, 8), (22, 9), (24, 9), (24, 10),
  ]

  init?(_ text: String) {
    let segment = Segment(text)
    let fitting = Self.blocks.indices.first { index in
      segment.bitCount(version: index + 1) <= 8 * Self.capacity(of: index + 1)
    }
    guard let fitting else { return nil }
    version = fitting + 1
    let data = segment.codewords(version: version, capacity: Self.capacity(of: version))
    codewords = Self.interleaved(data, Self.blocks[fitting])
  }

  /// The data codewords of a version at level M.
  static func capacity(of version: Int) -> Int {
    let (correction, count) = blocks[version - 1]
    return QRMatrix.codewordCount(version: version) - correction * count
  }

  private static func interleaved(
    _ data: [UInt8], _ blocks: (correction: Int, count: Int)
  ) -> [UInt8] {
    let length = data.count / blocks.count
    // The last blocks have one codeword more.
    let shortCount = blocks.count - data.count % blocks.count
    var parts: [ArraySlice<UInt8>] = []
    var rest = data[...]
    for index in 0..<blocks.count {
      parts.append(rest.prefix(index < shortCount ? length : length + 1))
      rest = rest.dropFirst(parts[index].count)
    }
    let corrections = parts.map { ReedSolomon.correction(of: $0, count: blocks.correction) }
    var result: [UInt8] = []
    for place in 0...length {
      for part in parts where place < part.count { result.append(part[part.startIndex + place]) }
    }
    for place in 0..<blocks.correction { result += corrections.map { $0[place] } }
    return result
  }
}

/// A text as bits, in alphanumeric mode if all its characters have a value there, else in byte mode (§7.4).
private struct Segment {
  private let bytes: [UInt8]
  private let values: [Int]?

  private static let alphanumeric = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

  init(_ text: String) {
    bytes = Array(text.utf8)
    let found = bytes.compactMap { Self.alphanumeric.firstIndex(of: $0) }
    values = found.count == bytes.count ? found : nil
  }

  /// The bits of the count of characters (table 3).
  private func countLength(_ version: Int) -> Int {
    if values != nil { return version < 10 ? 9 : 11 }
    return version < 10 ? 8 : 16
  }

  /// The bits of the whole segment, with its mode and its count.
  func bitCount(version: Int) -> Int {
    let content = values.map { $0.count / 2 * 11 + $0.count % 2 * 6 } ?? 8 * bytes.count
    return 4 + countLength(version) + content
  }

  /// The data codewords with terminator and padding (§7.4.9, §7.4.10).
  func codewords(version: Int, capacity: Int) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ length: Int) {
      for place in (0..<length).reversed() { bits.append(value >> place & 1 == 1) }
    }
    append(values == nil ? 0b0100 : 0b0010, 4)
    append(bytes.count, countLength(version))
    if let values {
      for start in stride(from: 0, to: values.count, by: 2) {
        if start + 1 < values.count {
          append(45 * values[start] + values[start + 1], 11)
        } else {
          append(values[start], 6)
        }
      }
    } else {
      for byte in bytes { append(Int(byte), 8) }
    }
    append(0, min(4, 8 * capacity - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var result = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    for place in 0..<capacity - result.count {
      result.append(place.isMultiple(of: 2) ? 0xEC : 0x11)
    }
    return result
  }
}

/// Error correction over the field of 256 elements with the polynomial x⁸+x⁴+x³+x²+1 (§7.5.2).
enum ReedSolomon {
  /// The remainder of the data divided by the generator polynomial.
  static func correction(of data: some Sequence<UInt8>, count: Int) -> [UInt8] {
    let generator = generator(count)
    var remainder = [UInt8](repeating: 0, count: count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for place in 0..<count { remainder[place] ^= product(generator[place], factor) }
    }
    return remainder
  }

  /// The coefficients of (x - 2⁰)(x - 2¹)… without the leading one, the highest power first.
  private static func generator(_ degree: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: degree - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      for place in 0..<degree {
        result[place] = product(result[place], root)
        if place + 1 < degree { result[place] ^= result[place + 1] }
      }
      root = product(root, 2)
    }
    return result
  }

  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var result = 0
    for place in (0..<8).reversed() {
      result = result << 1 ^ (result >> 7) * 0x11D
      if right >> UInt8(place) & 1 == 1 { result ^= Int(left) }
    }
    return UInt8(result)
  }
}

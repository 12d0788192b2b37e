import Testing

@testable import API

/// The values are those of ISO/IEC 18004:2015, annexes C, D and I, and of a widely used tutorial for "HELLO WORLD" at
/// level M (https://www.thonky.com/qr-code-tutorial/error-correction-coding).
@Suite struct `A QR code` {
  @Test func `has the error correction of the standard's example`() {
    let data: [UInt8] = [
      0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC,
      0x11,
    ]
    let correction = ReedSolomon.correction(of: data, count: 10)
    #expect(correction == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
  }

  @Test func `takes capitals in alphanumeric mode`() throws {
    let data = try #require(QRData("HELLO WORLD"))
    #expect(data.version == 1)
    #expect(
      data.codewords == [
        32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17,
        196, 35, 39, 119, 235, 215, 231, 226, 93, 23,
      ])
  }

  @Test func `takes other texts byte by byte`() throws {
    let data = try #require(QRData("a"))
    #expect(Array(data.codewords.prefix(4)) == [0x40, 0x16, 0x10, 0xEC])
  }

  /// The most bytes of each version at level M (table 7).
  private static let capacities = [
    14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412,
  ]

  @Test func `is as small as it can be`() throws {
    for (index, capacity) in Self.capacities.enumerated() {
      let version = index + 1
      #expect(try #require(QRData(String(repeating: "a", count: capacity))).version == version)
      let longer = QRData(String(repeating: "a", count: capacity + 1))
      #expect(longer?.version == (version < 15 ? version + 1 : nil))
    }
    #expect(QRCode(String(repeating: "a", count: 412))?.size == 77)
    #expect(QRCode(String(repeating: "a", count: 413)) == nil)
  }

  /// Level M with each mask (table C.1).
  private static let formats = [0x5412, 0x5125, 0x5E7C, 0x5B4B, 0x45F9, 0x40CE, 0x4F97, 0x4AA0]

  @Test(arguments: ["", "HELLO WORLD", "http://127.0.0.1:8080/l/root"])
  func `tells its level and its mask twice`(text: String) throws {
    let code = try #require(QRCode(text))
    func bits(_ places: [(x: Int, y: Int)]) -> Int {
      places.reduce(0) { $0 << 1 | (code.modules[$1.y * code.size + $1.x] ? 1 : 0) }
    }
    // The highest bit first.
    let first =
      [0, 1, 2, 3, 4, 5, 7, 8].map { (x: $0, y: 8) } + [7, 5, 4, 3, 2, 1, 0].map { (x: 8, y: $0) }
    let second =
      (1...7).map { (x: 8, y: code.size - $0) }
      + (1...8).reversed().map { (x: code.size - $0, y: 8) }
    #expect(Self.formats.contains(bits(first)))
    #expect(bits(first) == bits(second))
  }

  /// Version 7 is 000111 110010010100 (annex D).
  @Test func `tells its version twice from version 7 on`() throws {
    let code = try #require(QRCode(String(repeating: "a", count: 122)))
    var upper = 0
    var left = 0
    for place in (0..<18).reversed() {
      let (short, long) = (place / 3, code.size - 11 + place % 3)
      upper = upper << 1 | (code.modules[short * code.size + long] ? 1 : 0)
      left = left << 1 | (code.modules[long * code.size + short] ? 1 : 0)
    }
    #expect(upper == 0b00_0111_1100_1001_0100)
    #expect(left == upper)
  }

  @Test func `is drawn with a quiet zone of four modules`() throws {
    let svg = try #require(QRCode("HELLO WORLD")).svg
    #expect(svg.contains(#"viewBox="0 0 29 29""#))
    // The upper edges of the finder patterns.
    #expect(svg.contains("M4 4h7v1H4z"))
    #expect(svg.contains("M18 4h7v1H18z"))
  }
}

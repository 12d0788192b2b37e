import HTTP
import Testing

/// The table's requests with random damage: whatever is read from them must not depend on how they arrive.
@Suite struct MutationTests {
  /// SplitMix64, so that a seed says everything.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
  }

  /// Bytes that mean something to a parser, and some that never should.
  private static let bytes = Array("\r\n\t :,;/?%.0159aAfFxX*\"[]@#=-_\u{0}\u{7F}\u{FF}".utf8)

  private func damaged(_ raw: [UInt8], _ generator: inout Generator) -> [UInt8] {
    var raw = raw
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let index = Int.random(in: 0...raw.count, using: &generator)
      let byte = Self.bytes.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0..<5, using: &generator) {
      case 0 where index < raw.count: raw[index] = byte
      case 1 where index < raw.count: raw.remove(at: index)
      case 2:
        let end = min(raw.count, index + Int.random(in: 0...12, using: &generator))
        raw.insert(contentsOf: raw[index..<end], at: index)
      case 3: raw.removeSubrange(min(index + 20, raw.count)...)
      default: raw.insert(byte, at: index)
      }
    }
    return raw
  }

  @Test(arguments: 0..<8)
  func `damaged requests are read alike however they are split`(seed: UInt64) throws {
    var generator = Generator(state: seed)
    for _ in 0..<400 {
      let rows = (0..<2).compactMap { _ in RequestRows.all.randomElement(using: &generator) }
      let raw = damaged(rows.flatMap(\.raw), &generator)
      let whole = Reading([raw[...]]).outcomes
      #expect(Reading(raw.indices.map { raw[$0...$0] }).outcomes == whole, "\(raw)")
      var pieces: [ArraySlice<UInt8>] = []
      var start = 0
      while start < raw.count {
        let end = min(raw.count, start + Int.random(in: 1...40, using: &generator))
        pieces.append(raw[start..<end])
        start = end
      }
      #expect(Reading(pieces).outcomes == whole, "\(raw)")
    }
  }
}

import FoundationEssentials
import Support
import Testing

@testable import API

@Suite("Bytes as text of 64 characters")
struct Base64Tests {
  @Test(arguments: 0..<200)
  func `what is written is what Foundation writes, and is read again`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<Int(seed)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Data(bytes).base64EncodedString()
    #expect(Base64.encode(bytes) == Array(text.utf8))
    #expect(Base64.decode(text) == bytes)
  }

  @Test(arguments: 0..<200)
  func `a text with another character in it is other bytes, or none`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0...Int(seed % 13)).map { _ in UInt8.random(in: 0...255, using: &random) }
    for _ in 0..<50 {
      var text = Base64.encode(bytes)
      text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(
        in: 0..<128, using: &random)
      let read = Base64.decode(String(decoding: text, as: UTF8.self))
      #expect(read == nil || read.map(Base64.encode) == text, "\(text)")
      if Data(base64Encoded: String(decoding: text, as: UTF8.self)) == nil { #expect(read == nil) }
    }
  }

  @Test(arguments: ["A", "AA", "AAA", "AAAAA", "====", "A===", "AB=A", "=AAA", "AB==CDEF", "AB\n="])
  func `invalid text is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}

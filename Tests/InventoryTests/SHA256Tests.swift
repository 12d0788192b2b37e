import Foundation
import Inventory
import Support
import Testing

@Suite("Digests of SHA-256")
struct SHA256Tests {
  /// https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
  static let examples: [(message: [UInt8], digest: String)] = [
    (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (
      Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: examples)
  func `are those that the standard's examples have`(message: [UInt8], digest: String) {
    #expect(Self.hexadecimal(SHA256.digest(of: message)) == digest)
  }

  /// One byte more or less moves the end of the message across the border of a block.
  @Test func `differ for every length around a block`() {
    var seen: Set<[UInt8]> = []
    for count in 0...200 {
      let digest = SHA256.digest(of: [UInt8](repeating: 0, count: count))
      #expect(digest.count == 32)
      #expect(seen.insert(digest).inserted)
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `are those that sha256sum works out`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 0...100_000, using: &random)
    let message = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let folder = try TemporaryFolder()
    let file = folder.path + "/message"
    try Data(message).write(to: URL(fileURLWithPath: file))
    let process = try ChildProcess("/usr/bin/env", ["sha256sum", file])
    #expect(try process.waitForEnd() == .exit(0))
    #expect(Self.hexadecimal(SHA256.digest(of: message)) == process.output.prefix(64))
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// One numbered step of the schema. It is never edited after its release.
package struct Migration: Sendable, Equatable {
  /// 1 for the first, without gaps.
  package let number: Int
  package let name: String
  /// A script in UTF-8 that neither begins nor ends transactions.
  package let sql: [UInt8]

  package init(number: Int, name: String, sql: [UInt8]) {
    self.number = number
    self.name = name
    self.sql = sql
  }

  /// FNV-1a of the script in 64 bits, as 16 hexadecimal digits. It detects edits, not attacks.
  package var checksum: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in sql {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

import FoundationEssentials

/// The id of a token, which is not secret.
package struct TokenID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }

  /// The first and last eight bytes, as big-endian numbers.
  package var halves: (high: UInt64, low: UInt64) {
    withUnsafeBytes(of: uuid.uuid) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }
}

/// A token without its secret.
package struct Token: Sendable, Equatable {
  package let id: TokenID
  package var name: String
  package var role: Role
  /// The token's inventory; nil for an administrator's token, which reaches all.
  package var inventory: InventoryID?
  /// The list that its holder sees as `root`; nil: the inventory's root list.
  package var root: ListID?
  package var createdAt: Timestamp

  package init(
    id: TokenID, name: String, role: Role, inventory: InventoryID?, root: ListID?,
    createdAt: Timestamp
  ) {
    self.id = id
    self.name = name
    self.role = role
    self.inventory = inventory
    self.root = root
    self.createdAt = createdAt
  }

  /// The caller that the token authorizes.
  package var caller: Caller {
    Caller(inventory: inventory, root: root, role: role, name: name, grant: .token(id))
  }
}

/// The text by which a client authenticates: `rh_<id>_<secret>`, with 32 and 64 hexadecimal digits.
package struct Credential: Sendable, Equatable {
  package let token: TokenID
  /// SHA-256 of the secret's 32 bytes. The secret itself is not stored.
  package let digest: [UInt8]

  /// Reads a credential, in either letter case; nil for anything else.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 100, text.starts(with: "rh_".utf8), text[35] == UInt8(ascii: "_"),
      let id = Self.bytes(text[3..<35]), let secret = Self.bytes(text[36...])
    else { return nil }
    token = TokenID(
      UUID(
        uuid: (
          id[0], id[1], id[2], id[3], id[4], id[5], id[6], id[7], id[8], id[9], id[10], id[11],
          id[12], id[13], id[14], id[15]
        )))
    digest = SHA256.digest(of: secret)
  }

  /// A credential with 256 random bits, and its text, which is shown once. With sequential ids the secret is derived
  /// from the id, for test suites that compare answers.
  package static func random() -> (credential: Credential, text: String) {
    let id = TokenID(.version7())
    let secret: [UInt8]
    if NewIdentifiers.isCounting {
      secret = SHA256.digest(of: Array("secret of \(id)".utf8))
    } else {
      var generator = SystemRandomNumberGenerator()
      secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    let text =
      "rh_\(id.description.filter { $0 != "-" })_" + secret.map(Self.digits).joined()
    return (Credential(token: id, digest: SHA256.digest(of: secret)), text)
  }

  private init(token: TokenID, digest: [UInt8]) {
    self.token = token
    self.digest = digest
  }

  /// Whether two digests are equal, compared in constant time.
  package static func matches(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
  }

  private static func bytes(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  private static func digits(_ byte: UInt8) -> String {
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }
}

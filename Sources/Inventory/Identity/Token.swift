import FoundationEssentials

/// The id of a token, which is not secret.
package struct TokenID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
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
  /// From this time on the token is refused; nil: never.
  package var expiresAt: Timestamp?

  package init(
    id: TokenID, name: String, role: Role, inventory: InventoryID?, root: ListID?,
    createdAt: Timestamp, expiresAt: Timestamp? = nil
  ) {
    self.id = id
    self.name = name
    self.role = role
    self.inventory = inventory
    self.root = root
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  package func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }

  /// The resolution of a token's last use, in seconds. The last use is stored at most once in this time.
  package static let useResolution: Int64 = 3_600

  /// The time to store for a use at `now`: `now`, rounded down to `useResolution`.
  package static func use(at now: Timestamp) -> Timestamp {
    Timestamp(
      seconds: now.seconds - now.seconds.quotientAndRemainder(dividingBy: useResolution).remainder)
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
}

extension Credential {
  /// Reads a credential; nil for anything else. Its hexadecimal digits may be in either letter case.
  package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 100, text.starts(with: "rh_".utf8), text[35] == UInt8(ascii: "_"),
      let id = Self.bytes(text[3..<35]), let secret = Self.bytes(text[36...])
    else { return nil }
    let uuid = id.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    self.init(token: TokenID(uuid), digest: SHA256.digest(of: secret))
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

  /// Whether two digests are equal, compared in constant time.
  package static func matches(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
  }

  private static func bytes(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: digits.count / 2)
    for (place, digit) in digits.enumerated() {
      guard let value = digit.hexValue else { return nil }
      bytes[place / 2] = bytes[place / 2] << 4 | value
    }
    return bytes
  }

  private static func digits(_ byte: UInt8) -> String {
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }
}

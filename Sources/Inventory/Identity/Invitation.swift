import FoundationEssentials

/// The code of an invitation, which is its only secret: `rh_` and 32 hexadecimal digits.
package struct InvitationCode: Sendable, Hashable {
  /// SHA-256 of the code's 16 bytes. The code itself is not stored.
  package let digest: [UInt8]

  package init(digest: [UInt8]) { self.digest = digest }
}

extension InvitationCode {
  /// Reads a code; nil for anything else. Its hexadecimal digits may be in either letter case.
  package init?(text: String) {
    let text = Array(text.utf8)
    guard text.count == 35, text.starts(with: "rh_".utf8) else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 3, to: 35, by: 2) {
      guard let high = text[place].hexValue, let low = text[place + 1].hexValue else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(digest: SHA256.digest(of: bytes))
  }

  /// A code with 128 random bits, and its text, which is shown once. With sequential ids it is derived from an id, for
  /// test suites that compare answers.
  package static func random() -> (code: InvitationCode, text: String) {
    let bytes: [UInt8]
    if NewIdentifiers.isCounting {
      bytes = Array(SHA256.digest(of: Array("invitation \(TokenID(.version7()))".utf8)).prefix(16))
    } else {
      var generator = SystemRandomNumberGenerator()
      bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return (InvitationCode(digest: SHA256.digest(of: bytes)), "rh_" + digits)
  }
}

/// The id of an invitation, which is not secret: the first 16 bytes of the digest of its code.
package struct InvitationID: Identifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// An invitation that can be accepted once. Its acceptance makes a token.
package struct Invitation: Sendable, Equatable {
  package let code: InvitationCode
  /// Whom or what it is for; nil: only the device that accepts it has a name.
  package var name: String?
  package var role: Role
  /// The inventory of the future token; nil for an administrator's.
  package var inventory: InventoryID?
  /// The list that the token's holder will see as `root`; nil: the inventory's root list.
  package var root: ListID?
  /// The token that made it; nil for an administrator without one. The invitation ends with that token.
  package var maker: TokenID?
  /// From this time on it is refused.
  package var acceptBy: Timestamp
  /// The expiry of the future token; nil: never.
  package var expiresAt: Timestamp?

  package init(
    code: InvitationCode, name: String?, role: Role, inventory: InventoryID?, root: ListID?,
    maker: TokenID?, acceptBy: Timestamp, expiresAt: Timestamp?
  ) {
    self.code = code
    self.name = name
    self.role = role
    self.inventory = inventory
    self.root = root
    self.maker = maker
    self.acceptBy = acceptBy
    self.expiresAt = expiresAt
  }

  package var id: InvitationID {
    InvitationID(
      code.digest.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
  }

  /// In seconds.
  package static let lifetime: Int64 = 300

  /// `acceptBy` of an invitation that is made now, to a token with this expiry. The expiry of the maker's token limits
  /// that of the new one, so the invitation does not outlive its maker's token either.
  package static func end(from now: Timestamp, expiresAt: Timestamp?) -> Timestamp {
    let latest = Timestamp(seconds: now.seconds + lifetime)
    return expiresAt.map { min($0, latest) } ?? latest
  }

  /// The caller whose rights the future token gets. Throw its `tokenRevoked` as `invitationInvalid`.
  package var giver: Caller {
    Caller(
      inventory: inventory, root: root, role: role, name: name ?? "",
      grant: maker.map { .token($0) } ?? .unconditional)
  }

  /// The name of the token for a device: "Kim (Phone)", or one of both names. The same name is not repeated.
  package func tokenName(for device: String?) -> String? {
    guard let name, let device, name != device else { return name ?? device }
    return "\(name) (\(device))"
  }
}

/// An invitation to make.
package struct NewInvitation: Sendable {
  package var code: InvitationCode
  package var name: String?
  package var role: Role
  /// See `NewToken.root`.
  package var root: ListID?
  /// The expiry of the future token; see `NewToken.expiresAt`.
  package var expiresAt: Timestamp?

  package init(
    code: InvitationCode, name: String? = nil, role: Role, root: ListID? = nil,
    expiresAt: Timestamp? = nil
  ) {
    self.code = code
    self.name = name
    self.role = role
    self.root = root
    self.expiresAt = expiresAt
  }

  package static func tooMany(_ limit: Int) -> FieldError {
    FieldError([], "\(limit) invitations are open already. Each ends after five minutes.")
  }
}

/// The acceptance of an invitation by a device.
package struct Acceptance: Sendable {
  package var code: InvitationCode
  package var deviceName: String?
  /// That of the future token.
  package var credential: Credential

  package init(code: InvitationCode, deviceName: String?, credential: Credential) {
    self.code = code
    self.deviceName = deviceName
    self.credential = credential
  }

  /// The errors of the device's name, which an invitation without a name needs.
  package func fieldErrors(for invitation: Invitation) -> [FieldError] {
    guard let deviceName else {
      return invitation.name == nil
        ? [FieldError(["deviceName"], "Enter a name for this device.")] : []
    }
    var errors: [FieldError] = []
    errors.check(deviceName, ["deviceName"], Limits.invitedName)
    return errors
  }
}

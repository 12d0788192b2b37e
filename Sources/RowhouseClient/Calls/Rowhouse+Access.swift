import Foundation

extension Rowhouse {
  /// The properties of the token that the calls use.
  public func me() async throws(RowhouseError) -> Me {
    try await answer(.get("/v1/me"))
  }

  /// Creates a token for the whole inventory, or for one list of it.
  ///
  /// The call is made once, because the server does not store its answer. If no answer arrives, look for the token's
  /// name in ``tokens()`` and revoke it before you create another one. On a server that had no tokens, only an
  /// administrator on the server's machine can then revoke it.
  ///
  /// - Parameters:
  ///   - name: whom it is for.
  ///   - role: what its holder may do.
  ///   - list: the list that it is for. Nil: the list of your own token, or the whole inventory.
  ///   - expiresAt: the time from which the token is refused. Nil: that of your own token, or never.
  /// - Returns: The only answer that ever contains the token itself.
  public func createToken(
    for name: String, role: Role, list: List.ID? = nil, expiresAt: Date? = nil
  ) async throws(RowhouseError) -> AccessToken {
    try await answer(
      .once(
        "POST", "/v1/tokens",
        json: [
          "name": name, "role": role.rawValue, "listId": list?.rawValue,
          "expiresAt": expiresAt?.formatted(.iso8601),
        ].compactMapValues(\.self)))
  }

  /// The inventory's tokens, without their secrets.
  public func tokens() async throws(RowhouseError) -> [AccessToken] {
    try await answer(.get("/v1/tokens"), member: "tokens")
  }

  /// Renames a token.
  public func renameToken(
    _ id: AccessToken.ID, to name: String
  ) async throws(RowhouseError) -> AccessToken {
    try await answer(.once("PATCH", "/v1/tokens/\(id)", json: ["name": name]))
  }

  /// Makes a link and a QR code that sign one device in, once and within five minutes.
  ///
  /// The call is made once, because the server does not store its answer. The server must have a token already.
  ///
  /// - Parameters:
  ///   - role: what the device may do.
  ///   - name: whom it is for. Nil: the token gets only the device's name.
  ///   - list: the list that it is for. Nil: the list of your own token, or the whole inventory.
  ///   - expiresAt: the time from which the device's token is refused. Nil: that of your own token, or never.
  public func invite(
    _ role: Role, name: String? = nil, list: List.ID? = nil, expiresAt: Date? = nil
  ) async throws(RowhouseError) -> Invitation {
    var call = try Call.once(
      "POST", "/v1/invitations",
      json: [
        "role": role.rawValue, "name": name, "listId": list?.rawValue,
        "expiresAt": expiresAt?.formatted(.iso8601),
      ].compactMapValues(\.self))
    if let origin { call.query.append(("origin", origin)) }
    return try await answer(call)
  }

  /// The open invitations to tokens that the caller could revoke, without their codes.
  public func invitations() async throws(RowhouseError) -> [OpenInvitation] {
    try await answer(.get("/v1/invitations"), member: "invitations")
  }

  /// Withdraws an invitation.
  ///
  /// The call is made once: a repeated one would throw ``Problem/Code/notFound``.
  public func withdrawInvitation(_ id: OpenInvitation.ID) async throws(RowhouseError) {
    try await perform(.once("DELETE", "/v1/invitations/\(id)"))
  }

  /// What an invitation gives access to. Needs no token, and does not use the invitation up.
  ///
  /// - Parameter code: the part of the link after `invite=`.
  /// - Returns: An invitation with the title of its list.
  public func previewInvitation(
    _ code: String
  ) async throws(RowhouseError) -> OpenInvitation {
    try await answer(.once("POST", "/v1/invitations/preview", json: ["code": code]))
  }

  /// Accepts an invitation. Needs no token.
  ///
  /// The call is made once, because a code works once. If no answer arrives, ask for another invitation.
  ///
  /// - Parameters:
  ///   - code: the part of the link after `invite=`.
  ///   - deviceName: the device's name. Required if the invitation has no name.
  /// - Returns: The only answer that ever contains the token itself.
  public func acceptInvitation(
    _ code: String, deviceName: String? = nil
  ) async throws(RowhouseError) -> AccessToken {
    try await answer(
      .once(
        "POST", "/v1/invitations/accept",
        json: ["code": code, "deviceName": deviceName].compactMapValues(\.self)))
  }

  /// Revokes a token.
  ///
  /// The call is made once: a repeated one would throw ``Problem/Code/notFound``.
  public func revokeToken(_ id: AccessToken.ID) async throws(RowhouseError) {
    try await perform(.once("DELETE", "/v1/tokens/\(id)"))
  }
}

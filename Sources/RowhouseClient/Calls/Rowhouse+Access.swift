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
  /// - Parameter expiresAt: from when on it is refused. Nil: from when on your own token is refused, or never.
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

  /// Revokes a token.
  ///
  /// The call is made once: a repeated one would throw ``Problem/Code/notFound``.
  public func revokeToken(_ id: AccessToken.ID) async throws(RowhouseError) {
    try await perform(.once("DELETE", "/v1/tokens/\(id)"))
  }
}

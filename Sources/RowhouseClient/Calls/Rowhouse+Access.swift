extension Rowhouse {
  /// What the token is that the calls are made with.
  public func me() async throws(RowhouseError) -> Me {
    try await answer(.get("/v1/me"))
  }

  /// Lets somebody see the whole inventory, or one list of it.
  ///
  /// It is tried once: the server keeps no token to answer again with. Where no answer came, look at
  /// ``tokens()`` for one of that name, and revoke it, before another is made; on a server that had
  /// none, nobody gets in but with the one whose answer was lost, and an administrator beside the
  /// server has to revoke it.
  ///
  /// - Returns: the only answer that ever holds the token itself.
  public func createToken(
    for name: String, role: Role, list: List.ID? = nil
  ) async throws(RowhouseError) -> AccessToken {
    try await answer(
      .once("POST", "/v1/tokens", json: TokenDraft(name: name, role: role, listID: list)))
  }

  /// The inventory's tokens, without what lets their holders in.
  public func tokens() async throws(RowhouseError) -> [AccessToken] {
    let tokens: Tokens = try await answer(.get("/v1/tokens"))
    return tokens.tokens
  }

  /// Lets a token's holder in no longer.
  ///
  /// It is tried once: a second try of one that was done would say ``Problem/Code/notFound``.
  public func revokeToken(_ id: AccessToken.ID) async throws(RowhouseError) {
    try await perform(.once("DELETE", "/v1/tokens/\(id)"))
  }
}

private struct TokenDraft: Encodable {
  var name: String
  var role: Role
  var listID: Rowhouse.List.ID?

  private enum CodingKeys: String, CodingKey {
    case name, role
    case listID = "listId"
  }
}

private struct Tokens: Decodable {
  var tokens: [AccessToken]
}

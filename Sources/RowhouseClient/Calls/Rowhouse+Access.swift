extension Rowhouse {
  /// What the token is that the calls are made with.
  public func me() async throws(RowhouseError) -> Me {
    try await answer(.get("/v1/me"))
  }

  /// Lets somebody see the whole inventory, or one list of it.
  ///
  /// - Returns: the only answer that ever holds the token itself.
  public func createToken(
    for name: String, role: Role, list: List.ID? = nil
  ) async throws(RowhouseError) -> AccessToken {
    try await answer(
      .write("POST", "/v1/tokens", json: TokenDraft(name: name, role: role, listID: list)))
  }

  public func tokens() async throws(RowhouseError) -> [AccessToken] {
    let tokens: Tokens = try await answer(.get("/v1/tokens"))
    return tokens.tokens
  }

  public func revokeToken(_ id: AccessToken.ID) async throws(RowhouseError) {
    try await perform(.write("DELETE", "/v1/tokens/\(id)"))
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

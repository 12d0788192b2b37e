import FoundationEssentials

/// A token in the API's form.
private struct TokenLine: Codable {
  let id: String
  let token: String?
  let name: String
  let role: String
  let inventoryId: String?
  let listId: String?
  let createdAt: String
  let expiresAt: String?
  let lastUsedAt: String?
}

enum TokenCreateCommand: Subcommand {
  static let name = "token create"
  static let summary = "Create a token and print it. It is not shown again."
  static let options = [
    Option.database, Option.create,
    Option("name", .text("TEXT"), "Who uses the token."),
    Option(
      "role", .choice(["reader", "editor", "owner", "admin"], "ROLE"), standard: "editor",
      "reader, editor, owner or admin."),
    Option(
      "list", .text("ID"), standard: .described("the root list"),
      "The only list that the token can see."),
    Option(
      "expires", .text("TIME"), standard: .described("never"),
      "When the token expires, such as 2030-01-01T00:00:00Z."),
    Option.inventory,
  ]

  private struct Body: Encodable {
    let name: String
    let role: String
    let listId: String?
    let expiresAt: String?
  }

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    guard let name = options.text("name") else {
      throw Failure(.usage, "--name is required. Name the person or device that uses the token.")
    }
    let body = Body(
      name: name, role: options.text("role") ?? "editor", listId: options.text("list"),
      expiresAt: options.text("expires"))
    let call = ControlRequest(
      method: .post, target: "/v1/tokens", body: JSONText.encode(body),
      inventory: options.text("inventory"))
    try DataFolder.requireLasting(options)
    let answer = try DataFolder.withDatabase(options) { (path) throws(Failure) in
      try call.send(
        database: path,
        members: ["/name": "--name", "/listId": "--list", "/expiresAt": "--expires"])
    }
    let token = try JSONText.decode(TokenLine.self, answer)
    Terminal.note("Token \(token.id), \(token.role), for \(token.name):")
    Terminal.say(token.token ?? "")
    if Terminal.cause != nil {
      Terminal.note(
        "The token was not shown. Revoke it: rowhouse token revoke --id \(token.id)")
    }
    return .success
  }
}

enum TokenListCommand: Subcommand {
  static let name = "token list"
  static let summary =
    "Print all tokens, one per line, without their secrets, and when they expire and were last used."
  static let options = [Option.database]

  private struct Body: Decodable { let tokens: [TokenLine] }

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let call = ControlRequest(method: .get, target: "/v1/tokens")
    let answer = try call.send(database: try DataFolder.existingDatabase(options))
    for token in try JSONText.decode(Body.self, answer).tokens {
      let scope = token.listId.map { "list \($0)" } ?? token.inventoryId.map { _ in "all lists" }
      var columns = [token.id, token.role, token.createdAt, scope ?? "the server", token.name]
      if let time = token.expiresAt { columns.append("until \(time)") }
      if let time = token.lastUsedAt { columns.append("used \(time)") }
      Terminal.say(columns.joined(separator: "\t"))
    }
    return .success
  }
}

enum TokenRevokeCommand: Subcommand {
  static let name = "token revoke"
  static let summary = "Revoke a token."
  static let options = [
    Option.database, Option("id", .text("ID"), "The token's id. rowhouse token list shows it."),
  ]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    guard let id = options.text("id"), UUID(uuidString: id) != nil else {
      throw Failure(.usage, "--id is required. rowhouse token list shows the ids.")
    }
    let call = ControlRequest(method: .delete, target: "/v1/tokens/\(id)")
    _ = try call.send(database: try DataFolder.existingDatabase(options))
    Terminal.say("Token \(id) is revoked.")
    return .success
  }
}

/// JSON in the API's form, for the few commands that use it.
enum JSONText {
  static func encode(_ value: some Encodable) -> [UInt8] {
    (try? JSONEncoder().encode(value)).map(Array.init) ?? []
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, _ bytes: [UInt8]
  ) throws(Failure) -> Value {
    guard let value = try? JSONDecoder().decode(type, from: Data(bytes)) else {
      throw Failure(.unavailable, "The server's answer cannot be read.")
    }
    return value
  }
}

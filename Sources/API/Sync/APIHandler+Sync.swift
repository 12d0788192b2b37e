import HTTP
import Inventory
import JSON

extension Route {
  static let sync = [
    Route(.post, "/v1/sync", body: .required, isUnconditional: true, APIHandler.sync)
  ]
}

extension APIHandler {
  /// `POST /v1/sync`
  ///
  /// Does the commands of a client that was offline, each once. A command that breaks a rule is refused on its own.
  /// The whole batch is refused if the body cannot be read, the role is too low, the client is one too many, or the
  /// first command has a wrong number or cannot be tried now.
  func sync(_ request: RequestContext) throws(Problem) -> Reply {
    let (client, commands) = try request.input(["clientId", "commands"]) {
      _, members -> (SyncClientID, [SyncCommand])? in
      let client: SyncClientID? = members.identifier(
        "clientId", missing: "Send the id that the client has chosen: a UUID.")
      let commands = SyncCommand.all(in: members)
      guard let client else { return nil }
      return (client, commands)
    }
    guard request.caller.role >= .editor else { throw Problem(.roleForbids(needed: .editor)) }
    SyncRun(of: commands, client, request, store).proceed()
    return .later
  }
}

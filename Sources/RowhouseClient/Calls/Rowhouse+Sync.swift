import Foundation

extension Rowhouse {
  /// Does the commands that a person gave offline. Each is done once, however often it is sent: if the answer is lost,
  /// send the same batch again, at any time.
  ///
  /// - Parameters:
  ///   - commands: At most ``SyncCommand/maximumCount``, in order. The first one's number tells the server that you
  ///     have the outcomes of all commands before it.
  ///   - client: The id that this client has chosen once and keeps on disk.
  /// - Throws: ``Problem/Code/sequenceGap`` if commands before these are missing on the server, because a backup was
  ///   restored or the client was not used for 400 days. It is also thrown if another command was done under one of
  ///   the numbers, because a copy of the client's data is in use. Choose a new id then, read the lists again, and
  ///   number the remaining commands from 1.
  public func sync(
    _ commands: [SyncCommand], as client: SyncClient.ID
  ) async throws(RowhouseError) -> SyncAnswer {
    var call = try Call.write(
      "POST", "/v1/sync", json: SyncBatch(clientID: client, commands: commands))
    // The numbers do what a key does for other writes.
    call.idempotencyKey = nil
    return try await answer(call)
  }
}

private struct SyncBatch: Encodable {
  var clientID: SyncClient.ID
  var commands: [SyncCommand]

  private enum CodingKeys: String, CodingKey {
    case commands
    case clientID = "clientId"
  }
}

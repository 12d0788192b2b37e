import Inventory

/// A store that asks another one; what it does otherwise is all that it spells out.
package protocol StoreInFront: Store {
  var store: ArrayStore { get }
}

extension StoreInFront {
  package func makeSession() throws(InventoryError) -> any ReadSession { try store.makeSession() }

  package func submit(
    _ command: Command, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Outcome, InventoryError>) -> Void
  ) {
    store.submit(command, context, completion: completion)
  }

  package func stage(
    _ piece: PhotoPiece, _ context: WriteContext,
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    store.stage(piece, context, completion: completion)
  }

  package func discard(_ upload: UploadID, _ context: WriteContext) {
    store.discard(upload, context)
  }

  package func readPhoto(
    _ photo: PhotoID, addedBy revision: Revision?, _ rendition: RenditionSize?,
    _ bytes: Range<Int>, for caller: Caller,
    completion: @escaping @Sendable (Result<[UInt8], InventoryError>) -> Void
  ) {
    store.readPhoto(photo, addedBy: revision, rendition, bytes, for: caller, completion: completion)
  }

  package func administer(
    _ action: Administration, as caller: Caller,
    completion: @escaping @Sendable (Result<Administration.Outcome, InventoryError>) -> Void
  ) {
    store.administer(action, as: caller, completion: completion)
  }

  package func caller(showing credential: Credential) -> Caller? {
    store.caller(showing: credential)
  }
  package func isGood(_ token: TokenID) -> Bool { store.isGood(token) }
  package func lastUse(of token: TokenID) -> Timestamp? { store.lastUse(of: token) }
  package func hasInvitation(_ code: InvitationCode) -> Bool { store.hasInvitation(code) }
  package var hasTokens: Bool { store.hasTokens }
  package func onCommit(_ listener: @escaping @Sendable () -> Void) { store.onCommit(listener) }

  package func checkReadiness(
    completion: @escaping @Sendable (Result<Void, InventoryError>) -> Void
  ) {
    completion(.success(()))
  }
}

import Inventory

/// A store that is compared with arrays, and what else can be asked of it.
package struct StoreUnderTest {
  package var store: any Store
  /// What a look through its innards finds to be wrong.
  package var findings: () throws -> [String]
  package var close: () -> Void
  /// Waits until it has done what it does by and by.
  package var settle: () throws -> Void

  package init(
    _ store: any Store, findings: @escaping () throws -> [String] = { [] },
    settle: @escaping () throws -> Void = {}, close: @escaping () -> Void = {}
  ) {
    self.store = store
    self.findings = findings
    self.settle = settle
    self.close = close
  }
}

extension Store {
  /// Makes one change and waits for the answer.
  package func write(
    _ command: Command, _ context: WriteContext
  ) -> Result<Outcome, InventoryError> {
    let answer = Awaited<Result<Outcome, InventoryError>>()
    submit(command, context) { answer.fulfill($0) }
    return answer.value
  }

}

extension Store {
  /// Stages a piece and waits for the answer; the outcome is that of a write that changes nothing.
  package func keep(_ piece: PhotoPiece, _ context: WriteContext) -> Result<Outcome, InventoryError>
  {
    let answer = Awaited<Result<Void, InventoryError>>()
    stage(piece, context) { answer.fulfill($0) }
    return answer.value.map {
      Outcome(receipt: Receipt(revision: Revision(0), isChanged: false))
    }
  }

  /// All bytes of a photo, read as often as it takes.
  package func bytes(of photo: Photo) -> Result<[UInt8], InventoryError> {
    var bytes: [UInt8] = []
    while bytes.count < photo.size {
      let answer = Awaited<Result<[UInt8], InventoryError>>()
      readPhoto(photo.id, addedBy: photo.revision, nil, bytes.count..<photo.size, for: .local) {
        answer.fulfill($0)
      }
      switch answer.value {
      case .success(let more) where more.isEmpty: return .failure(.notFound(.photo))
      case .success(let more): bytes += more
      case .failure(let error): return .failure(error)
      }
    }
    return .success(bytes)
  }
}

extension ReadSession {
  /// Reads and waits for the answer.
  package func readNow<Value: Sendable>(
    _ cost: ReadCost, as caller: Caller = .local,
    _ body: @escaping @Sendable (any Snapshot) throws(InventoryError) -> Value
  ) throws(InventoryError) -> Value {
    let answer = Awaited<Result<Value, InventoryError>>()
    if let result = read(cost, as: caller, body, later: { answer.fulfill($0) }) {
      return try result.get()
    }
    return try answer.value.get()
  }
}

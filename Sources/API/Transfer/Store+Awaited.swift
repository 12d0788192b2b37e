import Inventory

extension Store {
  /// Submits a write, for a thread that waits.
  func submit(_ command: Command, _ context: WriteContext) -> Awaited<Outcome> {
    let outcome = Awaited<Outcome>()
    submit(command, context) { outcome.give($0) }
    return outcome
  }

  /// Stages a piece, for a thread that waits.
  func stage(_ piece: PhotoPiece, _ context: WriteContext) -> Awaited<Void> {
    let outcome = Awaited<Void>()
    stage(piece, context) { outcome.give($0) }
    return outcome
  }
}

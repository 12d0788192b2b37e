import Inventory

/// Compares the answers of two stores. They must be equal, except for the choice of rows that a delta
/// moves, and for the wording of violations and the order of candidates.
struct Comparison {
  /// The arrays before and after the write, or twice those that are read.
  let before: ArrayState
  let after: ArrayState

  func fault(_ expected: Answer, _ actual: Answer) -> String? {
    switch (expected, actual) {
    case (.delta(let expected), .delta(let actual)):
      let list = after[expected.listID]
      let known = list.versions.last { $0.revision <= expected.fromRevision }
      return fault(
        expected, actual, from: (known ?? list.versions.first)?.rows ?? [],
        to: rows(expected.listID, after), .atLeastThoseThatDiffer)
    case (.activity(let expected), .activity(let actual)):
      return Self.inOrder(expected) == Self.inOrder(actual)
        ? nil : "expected \(expected)\n  but got \(actual)"
    case (.refusal(let expected), .refusal(let actual)): return fault(expected, actual)
    default:
      return expected == actual ? nil : "expected \(expected)\n  but got \(actual)"
    }
  }

  func fault(
    _ expected: Result<Outcome, InventoryError>, _ actual: Result<Outcome, InventoryError>
  ) -> String? {
    switch (expected, actual) {
    case (.failure(let expected), .failure(let actual)): return fault(expected, actual)
    case (.success(let expected), .success(let actual)):
      guard expected.resource == actual.resource, expected.isCreated == actual.isCreated,
        expected.results == actual.results, expected.kept == actual.kept,
        expected.counts == actual.counts
      else {
        return "expected \(expected)\n  but got \(actual)"
      }
      return fault(expected.receipt, actual.receipt)
    default: return "expected \(expected)\n  but got \(actual)"
    }
  }

  private func fault(_ expected: InventoryError, _ actual: InventoryError) -> String? {
    switch (expected, actual) {
    case (.invalid(let left), .invalid(let right)) where left.map(\.path) == right.map(\.path):
      return nil
    case (
      .preconditionFailed(.list(let left, let expected)),
      .preconditionFailed(.list(let right, let actual))
    ) where left == right:
      let versions = before[expected.listID].versions
      let known = versions.last { $0.revision <= expected.fromRevision } ?? versions.first
      return fault(
        expected, actual, from: known?.rows ?? [], to: rows(expected.listID, before),
        .atLeastThoseThatDiffer)
    case (.ambiguousPath(let left), .ambiguousPath(let right))
    where right.count == min(left.count, 100) && right.allSatisfy(left.contains):
      return nil
    default:
      return expected == actual ? nil : "expected \(expected)\n  but got \(actual)"
    }
  }

  private func fault(_ expected: Receipt, _ actual: Receipt) -> String? {
    var bare = actual
    bare.deltas = expected.deltas
    guard bare == expected else { return "expected \(expected)\n  but got \(actual)" }
    let lists = Set(expected.deltas.map(\.listID))
    guard actual.deltas.count == lists.count, Set(actual.deltas.map(\.listID)) == lists else {
      return "deltas are expected for \(lists)\n  but came for \(actual.deltas.map(\.listID))"
    }
    for delta in expected.deltas {
      guard let other = actual.deltas.first(where: { $0.listID == delta.listID }) else { continue }
      let fault = fault(
        delta, other, from: rows(delta.listID, before), to: rows(delta.listID, after),
        .thoseThatDiffer)
      if let fault { return fault }
    }
    return nil
  }

  private func fault(
    _ expected: Delta, _ actual: Delta, from before: [Row], to after: [Row],
    _ reloads: DeltaOracle.Reloads
  ) -> String? {
    var bare = actual
    bare.content = expected.content
    guard bare == expected else { return "expected \(expected)\n  but got \(actual)" }
    switch (expected.content, actual.content) {
    case (.resync, .resync), (.absent, .absent): return nil
    case (.changes(let left), .changes(let right)):
      guard left.permissions == right.permissions, isRight(right.list, left.list, reloads) else {
        return "the fields are expected to be \(left)\n  but are \(right)"
      }
      let fault = DeltaOracle(from: before, to: after, reloads: reloads).fault(in: actual.content)
      return fault.map { "\($0)\n  expected \(left)\n  but got \(right)" }
    default: return "expected \(expected)\n  but got \(actual)"
    }
  }

  /// The order of what an activity names says nothing.
  private static func inOrder(_ activity: Activity) -> Activity {
    guard case .changes(var changes) = activity.content else { return activity }
    var activity = activity
    changes.lists.sort { $0.id.description < $1.id.description }
    changes.items.sort { $0.id.description < $1.id.description }
    activity.content = .changes(changes)
    return activity
  }

  private func rows(_ list: ListID, _ state: ArrayState) -> [Row] {
    state[list].versions.last?.rows ?? []
  }

  /// Over a longer span, fields may also be named that changed and changed back.
  private func isRight(
    _ actual: Delta.ChangedFields?, _ expected: Delta.ChangedFields?,
    _ reloads: DeltaOracle.Reloads
  ) -> Bool {
    guard case .atLeastThoseThatDiffer = reloads, let actual else { return actual == expected }
    return actual.fields.isSuperset(of: expected?.fields ?? [])
      && (expected.map { $0.details == actual.details } ?? true)
  }
}

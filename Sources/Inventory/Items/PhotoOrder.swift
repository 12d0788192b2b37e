extension [PhotoID] {
  /// - Throws: `notThePresentPhotos` if the others are not exactly these in some order.
  package func requireSame(_ others: [PhotoID]) throws(InventoryError) {
    var seen: Set<PhotoID> = []
    let duplicate = others.filter { !seen.insert($0).inserted }
    let missing = filter { !seen.contains($0) }
    let unknown = others.filter { !contains($0) }
    guard missing.isEmpty, unknown.isEmpty, duplicate.isEmpty else {
      throw .notThePresentPhotos(missing: missing, unknown: unknown, duplicate: duplicate)
    }
  }
}

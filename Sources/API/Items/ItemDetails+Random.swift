import Inventory

extension ItemDetails {
  /// A random example item: a name of two words, a serial number of five characters, a value of 0 to
  /// 99 whole dollars. With counted ids, it is derived from the item's id and so repeatable.
  static func madeUp(for item: ItemID) -> ItemDetails {
    guard NewIdentifiers.isCounting else {
      var generator = SystemRandomNumberGenerator()
      return madeUp(using: &generator)
    }
    var generator = Repeatable(seed: item)
    return madeUp(using: &generator)
  }

  private static func madeUp(using generator: inout some RandomNumberGenerator) -> ItemDetails {
    let adjective = adjectives.randomElement(using: &generator) ?? ""
    let noun = nouns.randomElement(using: &generator) ?? ""
    let serial = (0..<5).map { _ in serialCharacters.randomElement(using: &generator) ?? "0" }
    return ItemDetails(
      name: adjective + " " + noun, serialNumber: String(serial),
      value: Cents(.random(in: 0...99, using: &generator) * 100))
  }

  /// A repeatable generator: each number is part of the digest of the id and a counter.
  private struct Repeatable: RandomNumberGenerator {
    private let seed: String
    private var count = 0

    init(seed item: ItemID) { seed = item.description }

    mutating func next() -> UInt64 {
      count += 1
      let digest = SHA256.digest(of: Array("\(seed) \(count)".utf8))
      return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  private static let adjectives = [
    "Fluffy", "Rusty", "Shiny", "Wobbly", "Ancient", "Squeaky", "Velvet", "Hollow", "Speckled",
    "Folding", "Crooked", "Golden",
  ]
  private static let nouns = [
    "Spork", "Lantern", "Teapot", "Umbrella", "Typewriter", "Kettle", "Compass", "Trumpet",
    "Suitcase", "Globe", "Toaster", "Cactus",
  ]
  // I and O are left out because they look like 1 and 0.
  private static let serialCharacters = Array("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ")
}

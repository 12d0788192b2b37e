import Inventory

extension ItemDetails {
  /// A thing that nobody has: a name of two words, a serial number of five characters, a value of
  /// 0 to 99 whole dollars.
  static func madeUp() -> ItemDetails {
    func pick(_ words: [String]) -> String { words.randomElement() ?? "" }
    let serial = String((0..<5).map { _ in serialCharacters.randomElement() ?? "0" })
    return ItemDetails(
      name: pick(adjectives) + " " + pick(nouns), serialNumber: serial,
      value: Cents(.random(in: 0...99) * 100))
  }

  private static let adjectives = [
    "Fluffy", "Rusty", "Shiny", "Wobbly", "Ancient", "Squeaky", "Velvet", "Hollow", "Speckled",
    "Folding", "Crooked", "Golden",
  ]
  private static let nouns = [
    "Spork", "Lantern", "Teapot", "Umbrella", "Typewriter", "Kettle", "Compass", "Trumpet",
    "Suitcase", "Globe", "Toaster", "Cactus",
  ]
  // Without I and O, which are read as 1 and 0.
  private static let serialCharacters = Array("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ")
}

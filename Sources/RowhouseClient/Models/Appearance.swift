/// The tints of an inventory's bars, each as `#RRGGBB`, and its currency.
public struct Appearance: Codable, Sendable, Hashable {
  public var navigationBar: String
  public var toolbar: String
  public var tabBar: String
  public var button: String
  public var title: String
  /// The ISO 4217 code of the currency of all values; nil: US dollars.
  public var currency: String?
  /// The titles that are hard to read on a bar. Draw these in a dark or light tint of your own.
  public var warnings: [Warning]
  /// The number of times that the tints were set.
  public var version: Int

  /// A tint that is hard to read.
  public struct Warning: Codable, Sendable, Hashable {
    /// The tint as a JSON Pointer: `/title` or `/button`.
    public var pointer: String
    /// One sentence for a person.
    public var detail: String
  }
}

/// New tints of an inventory, and its currency. A tint that is nil gets the server's default.
public struct Tints: Encodable, Sendable, Hashable {
  public var navigationBar: String?
  public var toolbar: String?
  public var tabBar: String?
  public var button: String?
  public var title: String?
  /// The ISO 4217 code of the currency of all values; nil: US dollars.
  public var currency: String?

  public init() {}

  /// The tints and the currency of an appearance, ready to be changed and set.
  public init(_ appearance: Appearance) {
    navigationBar = appearance.navigationBar
    toolbar = appearance.toolbar
    tabBar = appearance.tabBar
    button = appearance.button
    title = appearance.title
    currency = appearance.currency
  }
}

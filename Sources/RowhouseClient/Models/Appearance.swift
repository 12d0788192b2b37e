/// The tints of an inventory's bars, each as `#RRGGBB`.
public struct Appearance: Codable, Sendable, Hashable {
  public var navigationBar: String
  public var toolbar: String
  public var tabBar: String
  public var button: String
  public var title: String
  /// The titles that are hard to read on a bar. Draw these in a dark or a light tint of your own.
  public var warnings: [Warning]
  /// Counts how often they were set.
  public var version: Int

  /// A tint that is hard to read.
  public struct Warning: Codable, Sendable, Hashable {
    /// The tint as a JSON Pointer: `/title` or `/button`.
    public var pointer: String
    /// One sentence for a person.
    public var detail: String
  }
}

/// What an inventory's tints are to be; those that are nil are as the server has them from the start.
public struct Tints: Encodable, Sendable, Hashable {
  public var navigationBar: String?
  public var toolbar: String?
  public var tabBar: String?
  public var button: String?
  public var title: String?

  public init() {}

  /// Those of an appearance, to be changed and set.
  public init(_ appearance: Appearance) {
    navigationBar = appearance.navigationBar
    toolbar = appearance.toolbar
    tabBar = appearance.tabBar
    button = appearance.button
    title = appearance.title
  }
}

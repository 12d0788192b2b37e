/// The tints of an inventory's bars, each as `#RRGGBB`.
public struct Appearance: Codable, Sendable, Hashable {
  public var navigationBar: String
  public var toolbar: String
  public var tabBar: String
  public var button: String
  public var title: String
  /// Counts how often they were set.
  public var version: Int
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

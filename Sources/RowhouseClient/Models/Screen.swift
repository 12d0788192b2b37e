/// A screen, ready to draw.
public struct Screen: Codable, Sendable, Hashable {
  /// The first screen has level 1.
  public var level: Int
  public var navigationBar: NavigationBar
  /// Whether a tap on the screen hides and shows the bars.
  public var barTogglesOnTap: Bool
  public var toolbar: Toolbar?
  public var row: RowRights
  public var shortcuts: [Crumb]
  public var dir: WritingDirection
  /// The first rows, if a limit was given.
  public var rows: [Row]?
  /// The list's revision when these rows were read.
  public var revision: Int?
}

/// The bar at the top of a screen.
public struct NavigationBar: Codable, Sendable, Hashable {
  public var leading: BarButton?
  public var title: String
  /// Whether the title fits into the bar. If not, the content must show it too.
  public var titleFits: Bool
  /// A line above the title.
  public var prompt: String?
  public var trailing: BarButton?
}

/// The bar at the bottom of an item's screen.
public struct Toolbar: Codable, Sendable, Hashable {
  public var previous: BarButton?
  public var photos: BarButton?
  public var next: BarButton?
}

public struct BarButton: Codable, Sendable, Hashable {
  public var action: Action
  public var title: String
  public var image: String?
  public var enabled: Bool

  /// The action of a button. Hide buttons with an action that the app does not know.
  public struct Action: RawRepresentable, Codable, Sendable, Hashable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let back = Self(rawValue: "back")
    public static let add = Self(rawValue: "add")
    public static let cancel = Self(rawValue: "cancel")
    public static let edit = Self(rawValue: "edit")
    public static let done = Self(rawValue: "done")
    public static let save = Self(rawValue: "save")
    public static let move = Self(rawValue: "move")
    public static let previous = Self(rawValue: "previous")
    public static let photos = Self(rawValue: "photos")
    public static let next = Self(rawValue: "next")
  }
}

/// The permitted changes of a screen's rows.
public struct RowRights: Codable, Sendable, Hashable {
  public var canAdd: Bool
  public var canEdit: Bool
  public var canMove: Bool
  public var canDelete: Bool
  public var deleteLabel: String
}

/// A screen further up, as a shortcut.
public struct Crumb: Codable, Sendable, Hashable, Identifiable {
  public var id: Row.ID
  public var title: String
}

public enum WritingDirection: String, Codable, Sendable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"
}

/// The items before and after an item in its list.
public struct Neighbours: Codable, Sendable, Hashable {
  public var previous: Crumb?
  public var next: Crumb?
  public var index: Int
  public var count: Int
  /// "3 of 7", in the reader's language.
  public var position: String
  /// The item to which the left arrow goes.
  public var leftArrow: Arrow
  public var rightArrow: Arrow

  public enum Arrow: String, Codable, Sendable { case previous, next }
}

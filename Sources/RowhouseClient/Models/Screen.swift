/// What a screen shows, ready to draw.
public struct Screen: Codable, Sendable, Hashable {
  /// 1 for the first screen.
  public var level: Int
  public var navigationBar: NavigationBar
  /// Whether a tap on the screen hides and shows the bars.
  public var barTogglesOnTap: Bool
  public var toolbar: Toolbar?
  public var row: RowRights
  public var shortcuts: [Crumb]
  public var dir: WritingDirection
  /// The first rows, where a limit was given.
  public var rows: [Row]?
  /// The list's revision that they are of.
  public var revision: Int?
}

/// The bar at the top of a screen.
public struct NavigationBar: Codable, Sendable, Hashable {
  public var leading: BarButton?
  public var title: String
  /// Whether the bar has room for the title; the content shows it too where not.
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

  /// What a button does; one that an app does not know yet is better left out than fatal.
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

/// What may be done to the rows of a screen.
public struct RowRights: Codable, Sendable, Hashable {
  public var canAdd: Bool
  public var canEdit: Bool
  public var canMove: Bool
  public var canDelete: Bool
  public var deleteLabel: String
}

/// A screen further up that one can go to at once.
public struct Crumb: Codable, Sendable, Hashable, Identifiable {
  public var id: Row.ID
  public var title: String
}

public enum WritingDirection: String, Codable, Sendable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"
}

/// The items before and after one in its list.
public struct Neighbours: Codable, Sendable, Hashable {
  public var previous: Crumb?
  public var next: Crumb?
  public var index: Int
  public var count: Int
  /// "3 of 7", in the reader's language.
  public var position: String
  /// Where the arrow that points left leads.
  public var leftArrow: Arrow
  public var rightArrow: Arrow

  public enum Arrow: String, Codable, Sendable { case previous, next }
}

import Foundation

/// A device's navigation state on the server: tabs, each with a stack of screens.
public struct Navigator: Codable, Sendable, Identifiable, Hashable {
  public typealias ID = Identifier<Navigator>

  public var id: ID
  public var name: String?
  public var version: Int
  public var createdAt: Date
  public var lastUsedAt: Date
  public var selectedTab: String
  public var tabs: [Tab]
  /// The tabs that do not fit into the bar.
  public var more: [String]
  public var dir: WritingDirection

  public struct Tab: Codable, Sendable, Identifiable, Hashable {
    public var id: String
    public var title: String?
    public var image: String?
    /// The tab's first screen first, the visible one last.
    public var stack: [StackedScreen]
  }

  /// A screen of a stack with its bar.
  public struct StackedScreen: Codable, Sendable, Hashable {
    public var reference: ScreenReference
    public var level: Int
    public var navigationBar: NavigationBar
    public var barTogglesOnTap: Bool
    public var shortcuts: [Crumb]

    public init(from decoder: any Decoder) throws {
      reference = try ScreenReference(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      level = try container.decode(Int.self, forKey: .level)
      navigationBar = try container.decode(NavigationBar.self, forKey: .navigationBar)
      barTogglesOnTap = try container.decode(Bool.self, forKey: .barTogglesOnTap)
      shortcuts = try container.decode([Crumb].self, forKey: .shortcuts)
    }

    public func encode(to encoder: any Encoder) throws {
      try reference.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(level, forKey: .level)
      try container.encode(navigationBar, forKey: .navigationBar)
      try container.encode(barTogglesOnTap, forKey: .barTogglesOnTap)
      try container.encode(shortcuts, forKey: .shortcuts)
    }

    private enum CodingKeys: String, CodingKey {
      case level, navigationBar, barTogglesOnTap, shortcuts
    }
  }
}

/// A tab to set.
public struct TabDraft: Encodable, Sendable {
  /// The id of an existing or a new tab; nil: the server creates one.
  public var id: Navigator.Tab.ID?
  public var title: String?
  public var image: String?
  /// Nil: the tab's present stack, or the root list's screen.
  public var stack: [ScreenReference]?

  public init(
    id: Navigator.Tab.ID? = nil, title: String? = nil, image: String? = nil,
    stack: [ScreenReference]? = nil
  ) {
    self.id = id
    self.title = title
    self.image = image
    self.stack = stack
  }
}

/// A navigator without its screens.
public struct NavigatorSummary: Codable, Sendable, Identifiable, Hashable {
  public var id: Navigator.ID
  public var name: String?
  public var version: Int
  public var createdAt: Date
  public var lastUsedAt: Date
  public var selectedTab: String
}

/// A screen of a stack, by its target and mode.
public struct ScreenReference: Sendable, Hashable {
  public var target: Target
  public var mode: Mode?
  /// In the mode ``Mode/add``, the kind to add: `list`, `thing` or `car`; nil: the list's usual kind.
  public var kind: String?
  /// The line above the title of a screen of the client's own.
  public var prompt: String?
  /// The button of a screen of the client's own.
  public var trailing: TrailingButton?
  /// Data of the client's own, such as the scroll position. A JSON object of at most 4 KiB.
  public var state: JSONValue?
  /// Whether it is removed when the next screen is pushed.
  public var momentary: Bool

  public enum Target: Sendable, Hashable {
    case list(Rowhouse.List.ID)
    case item(Item.ID)
    case photos(Item.ID)
    case about
    /// A screen of the client's own.
    case custom(name: String, title: String)
  }

  /// The mode of a screen. Newer servers may have other modes.
  public struct Mode: RawRepresentable, Codable, Sendable, Hashable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let browse = Self(rawValue: "browse")
    public static let edit = Self(rawValue: "edit")
    public static let details = Self(rawValue: "details")
    public static let add = Self(rawValue: "add")
    public static let move = Self(rawValue: "move")
  }

  /// The trailing button of a screen of the client's own. The server draws it, and the client handles it.
  public struct TrailingButton: Codable, Sendable, Hashable {
    public var action: BarButton.Action
    /// Nil: the action's name in the reader's language.
    public var title: String?
    public var enabled: Bool

    public init(_ action: BarButton.Action, title: String? = nil, enabled: Bool = true) {
      self.action = action
      self.title = title
      self.enabled = enabled
    }
  }

  /// - Parameters:
  ///   - target: What the screen shows.
  ///   - mode: The mode in which it shows it.
  ///   - kind: In the mode ``Mode/add``, the kind to add: `list`, `thing` or `car`.
  ///   - prompt: The line above the title of a screen of the client's own.
  ///   - trailing: The button of a screen of the client's own.
  ///   - state: Data of the client's own, at most 4 KiB.
  ///   - momentary: Whether it is removed when the next screen is pushed.
  public init(
    _ target: Target, mode: Mode? = nil, kind: String? = nil, prompt: String? = nil,
    trailing: TrailingButton? = nil, state: JSONValue? = nil, momentary: Bool = false
  ) {
    self.target = target
    self.mode = mode
    self.kind = kind
    self.prompt = prompt
    self.trailing = trailing
    self.state = state
    self.momentary = momentary
  }
}

extension ScreenReference: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    mode = try container.decodeIfPresent(Mode.self, forKey: .mode)
    kind = try container.decodeIfPresent(String.self, forKey: .kind)
    prompt = try container.decodeIfPresent(String.self, forKey: .prompt)
    trailing = try container.decodeIfPresent(TrailingButton.self, forKey: .trailing)
    state = try container.decodeIfPresent(JSONValue.self, forKey: .state)
    momentary = try container.decodeIfPresent(Bool.self, forKey: .momentary) ?? false
    if let list = try container.decodeIfPresent(Rowhouse.List.ID.self, forKey: .listID) {
      target = .list(list)
    } else if let item = try container.decodeIfPresent(Item.ID.self, forKey: .itemID) {
      let showsPhotos = try container.decodeIfPresent(Bool.self, forKey: .photos) ?? false
      target = showsPhotos ? .photos(item) : .item(item)
    } else if let name = try container.decodeIfPresent(String.self, forKey: .custom) {
      target = .custom(name: name, title: try container.decode(String.self, forKey: .title))
    } else {
      target = .about
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch target {
    case .list(let list): try container.encode(list, forKey: .listID)
    case .item(let item): try container.encode(item, forKey: .itemID)
    case .photos(let item):
      try container.encode(item, forKey: .itemID)
      try container.encode(true, forKey: .photos)
    case .about: try container.encode(true, forKey: .about)
    case .custom(let name, let title):
      try container.encode(name, forKey: .custom)
      try container.encode(title, forKey: .title)
    }
    try container.encodeIfPresent(mode, forKey: .mode)
    try container.encodeIfPresent(kind, forKey: .kind)
    try container.encodeIfPresent(prompt, forKey: .prompt)
    try container.encodeIfPresent(trailing, forKey: .trailing)
    try container.encodeIfPresent(state, forKey: .state)
    if momentary { try container.encode(true, forKey: .momentary) }
  }

  private enum CodingKeys: String, CodingKey {
    case photos, about, custom, title, prompt, trailing, mode, kind, state, momentary
    case listID = "listId"
    case itemID = "itemId"
  }
}

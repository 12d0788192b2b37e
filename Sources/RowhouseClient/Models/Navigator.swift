import Foundation

/// A device's place, kept on the server: tabs, each with a stack of screens.
public struct Navigator: Codable, Sendable, Identifiable, Hashable {
  public typealias ID = Identifier<Navigator>

  public var id: ID
  public var name: String?
  public var version: Int
  public var createdAt: Date
  public var lastUsedAt: Date
  public var selectedTab: String
  public var tabs: [Tab]
  /// The tabs that have no room in the bar.
  public var more: [String]
  public var dir: WritingDirection

  public struct Tab: Codable, Sendable, Identifiable, Hashable {
    public var id: String
    public var title: String?
    public var image: String?
    /// The first is the tab's first screen, the last the one that shows.
    public var stack: [StackedScreen]
  }

  /// A screen in a stack with its bar worked out.
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

/// What a tab is to be.
public struct TabDraft: Encodable, Sendable {
  /// That of a tab that is there already, or of a new one; nil: the server makes one.
  public var id: Navigator.Tab.ID?
  public var title: String?
  public var image: String?
  /// Nil: the one that the tab has, or the root list's screen.
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

/// What a screen in a stack shows.
public struct ScreenReference: Sendable, Hashable {
  public var target: Target
  public var mode: Mode?
  /// In the mode ``Mode/add``, what is added: `list`, `thing` or `car`; nil: what the list usually takes.
  public var kind: String?
  /// The line above the title of a screen of the client's own.
  public var prompt: String?
  /// The button of a screen of the client's own.
  public var trailing: TrailingButton?
  /// The client's own: where the screen is scrolled to, say. A JSON object of at most 4 KiB.
  public var state: JSONValue?
  /// Taken out as the next screen is pushed.
  public var momentary: Bool

  public enum Target: Sendable, Hashable {
    case list(Rowhouse.List.ID)
    case item(Item.ID)
    case photos(Item.ID)
    case about
    /// A screen of the client's own.
    case custom(name: String, title: String)
  }

  /// What a screen is shown for; others may be invented.
  public struct Mode: RawRepresentable, Codable, Sendable, Hashable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let browse = Self(rawValue: "browse")
    public static let edit = Self(rawValue: "edit")
    public static let details = Self(rawValue: "details")
    public static let add = Self(rawValue: "add")
    public static let move = Self(rawValue: "move")
  }

  /// The trailing button on the bar of a screen of the client's own; the server draws it, the client
  /// does what it says.
  public struct TrailingButton: Codable, Sendable, Hashable {
    public var action: BarButton.Action
    /// Nil: what the action is called in the reader's language.
    public var title: String?
    public var enabled: Bool

    public init(_ action: BarButton.Action, title: String? = nil, enabled: Bool = true) {
      self.action = action
      self.title = title
      self.enabled = enabled
    }
  }

  /// - Parameters:
  ///   - target: what the screen shows.
  ///   - mode: what it is shown for.
  ///   - kind: in the mode ``Mode/add``, what is added: `list`, `thing` or `car`.
  ///   - prompt: the line above the title of a screen of the client's own.
  ///   - trailing: the button of a screen of the client's own.
  ///   - state: the client's own; at most 4 KiB.
  ///   - momentary: whether it is taken out as the next screen is pushed.
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

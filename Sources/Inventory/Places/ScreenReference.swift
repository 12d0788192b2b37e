/// How a screen shows what it is of.
package enum ScreenMode: String, Sendable, CaseIterable {
  case browse, edit, details, add, move
}

/// What a screen is of.
package enum ScreenTarget: Sendable, Hashable {
  case list(ListID)
  case item(ItemID)
  /// An item's photos.
  case photos(ItemID)
  /// What the server says of itself.
  case about
  /// One of the client's own: instructions, a splash.
  case custom(name: String, title: String)

  /// The list or item that it goes with.
  package var row: RowID? {
    switch self {
    case .list(let list): RowID(list)
    case .item(let item), .photos(let item): RowID(item)
    case .about, .custom: nil
    }
  }

  /// Whether the id, if it has one, is that of a list.
  package var isList: Bool { if case .list = self { true } else { false } }

  /// The modes that it may be in on a stack; a move names a row, which no stack keeps.
  package var modes: [ScreenMode] {
    switch self {
    case .list: [.browse, .edit, .details, .add]
    case .item: [.browse, .edit]
    case .photos, .about, .custom: [.browse]
    }
  }

  package static func == (one: ScreenTarget, other: ScreenTarget) -> Bool {
    switch (one, other) {
    case (.list(let one), .list(let other)): one == other
    case (.item(let one), .item(let other)), (.photos(let one), .photos(let other)): one == other
    case (.about, .about): true
    case (.custom(let name, let title), .custom(let otherName, let otherTitle)):
      name.hasBytes(of: otherName) && title.hasBytes(of: otherTitle)
    case (.list, _), (.item, _), (.photos, _), (.about, _), (.custom, _): false
    }
  }

  /// Whether both lead to one place; a custom screen goes by its name alone.
  package func isSame(as other: ScreenTarget) -> Bool {
    if case .custom(let name, _) = self, case .custom(let otherName, _) = other {
      return name == otherName
    }
    return self == other
  }

  package init(_ step: PathStep) {
    self = step.isList ? .list(ListID(step.id)) : .item(ItemID(step.id))
  }
}

/// A screen as a stack keeps it.
package struct ScreenReference: Sendable, Hashable {
  package var target: ScreenTarget
  /// Nil: as it is shown first.
  package var mode: ScreenMode?
  /// In the mode `add`: what is added; nil: what the list usually takes.
  package var added: AddedKind?
  /// The line above the title of a client's own screen.
  @Verbatim package var prompt: String?
  /// That of a client's own screen.
  package var trailing: TrailingButton?
  /// What the client keeps with it, such as how far it is scrolled.
  package var state: CustomFields?
  /// Taken out as the next screen is pushed, and left out as a place is restored.
  package var isMomentary: Bool

  package init(
    _ target: ScreenTarget, mode: ScreenMode? = nil, added: AddedKind? = nil,
    prompt: String? = nil, trailing: TrailingButton? = nil, state: CustomFields? = nil,
    isMomentary: Bool = false
  ) {
    self.target = target
    self.mode = mode
    self.added = added
    self.prompt = prompt
    self.trailing = trailing
    self.state = state
    self.isMomentary = isMomentary
  }
}

/// What a list's or an item's screen goes by.
package struct ScreenSubject: Sendable, Equatable {
  package var isList: Bool
  package var title: String
  /// What the caller may do to the rows of the list, or of the list that the item stands in.
  package var can: Permissions
  /// What that list takes in.
  package var accepts: AcceptedKind
  /// Whether a list made in it would be below the lowest level for lists.
  package var isTooDeepForLists = false
  /// That list's; nil: the default in the reader's language.
  package var deleteLabel: String?

  package init(
    isList: Bool = true, title: String, can: Permissions, accepts: AcceptedKind = .any,
    deleteLabel: String? = nil
  ) {
    self.isList = isList
    self.title = title
    self.can = can
    self.accepts = accepts
    self.deleteLabel = deleteLabel
  }

  package init(_ list: List, for caller: Caller) {
    self.init(
      title: list.details.title, can: list.permissions(for: caller.role),
      accepts: list.details.itemKind, deleteLabel: list.details.deleteLabel)
  }

  package init(_ item: Item, in list: List, for caller: Caller) {
    self.init(list, for: caller)
    isList = false
    title = item.details.title
  }
}

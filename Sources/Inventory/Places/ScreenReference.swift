/// The mode in which a screen shows its target.
package enum ScreenMode: String, Sendable, CaseIterable {
  case browse, edit, details, add, move
}

/// The target of a screen.
package enum ScreenTarget: Sendable, Hashable {
  case list(ListID)
  case item(ItemID)
  /// An item's photos.
  case photos(ItemID)
  /// The server's about screen.
  case about
  /// A screen of the client's own, such as instructions.
  case custom(name: String, title: String)

  /// The list or item of the screen.
  package var row: RowID? {
    switch self {
    case .list(let list): RowID(list)
    case .item(let item), .photos(let item): RowID(item)
    case .about, .custom: nil
    }
  }

  /// Whether `row` is a list.
  package var isList: Bool { if case .list = self { true } else { false } }

  /// The modes that a stack may keep. Not `move`, because a stack does not keep the moved row.
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

  /// Whether both show the same thing. Custom screens are compared by name only.
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

/// A screen on a stack.
package struct ScreenReference: Sendable, Hashable {
  package var target: ScreenTarget
  /// Nil: the default mode.
  package var mode: ScreenMode?
  /// In the mode `add`: the kind to add; nil: the list's usual kind.
  package var added: AddedKind?
  /// The line above the title. Only for a client's own screen.
  @ByteExact package var prompt: String?
  /// Only for a client's own screen.
  package var trailing: TrailingButton?
  /// The client's data for the screen, such as the scroll position.
  package var state: CustomFields?
  /// Whether it is removed when the next screen is pushed, and when the stack is restored.
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

/// The properties of a list or an item that its screens depend on.
package struct ScreenSubject: Sendable, Equatable {
  package var isList: Bool
  package var title: String
  /// The caller's permissions for the rows of the list, or of the item's list.
  package var can: Permissions
  /// The kinds that this list accepts.
  package var accepts: AcceptedKind
  /// Whether a new list in it would be below the lowest permitted level.
  package var isTooDeepForLists = false
  /// The list's delete label; nil: the default in the reader's language.
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

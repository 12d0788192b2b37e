import Inventory

/// What a screen is of and in which mode, with all that its bars go by.
package enum ScreenContent: Sendable, Equatable {
  package enum ListMode: Sendable, Equatable {
    case browse
    case edit
    /// The list's own fields.
    case details(maySave: Bool)
    /// A list may be too deep there.
    case add(AddedKind, isTooDeep: Bool = false)
    /// A row looks for the list that it is to be moved to.
    case move(name: String, isAccepted: Bool)
  }

  package enum ItemMode: Sendable, Equatable {
    /// Without neighbours there is no toolbar.
    case browse(Neighbours?)
    case edit
  }

  case list(ScreenSubject, ListMode)
  case item(ScreenSubject, ItemMode)
  case photos(ScreenSubject)
  case about
  /// A client's own.
  case custom(title: String, prompt: String? = nil, TrailingButton? = nil)

  var subject: ScreenSubject? {
    switch self {
    case .list(let subject, _), .item(let subject, _), .photos(let subject): subject
    case .about, .custom: nil
    }
  }

  /// What the screen is called where it is named elsewhere: by the back button of the next one.
  func name(_ style: ScreenStyle) -> String {
    switch self {
    case .list(let subject, _), .item(let subject, _), .photos(let subject): subject.title
    case .about: style.texts.about(style.serverName)
    case .custom(let title, _, _): title
    }
  }
}

import Inventory

/// The subject and the mode of a screen, with all that its bars depend on.
package enum ScreenContent: Sendable, Equatable {
  package enum ListMode: Sendable, Equatable {
    case browse
    case edit
    /// Edits the list's own fields.
    case details(maySave: Bool)
    /// `isTooDeep`: a list may not be added because it would be too deep.
    case add(AddedKind, isTooDeep: Bool = false)
    /// Chooses the list that a row is moved to.
    case move(name: String, isAccepted: Bool)
  }

  package enum ItemMode: Sendable, Equatable {
    /// Nil neighbours: no toolbar.
    case browse(Neighbours?)
    case edit
  }

  case list(ScreenSubject, ListMode)
  case item(ScreenSubject, ItemMode)
  case photos(ScreenSubject)
  case about
  /// A screen of the client's own.
  case custom(title: String, prompt: String? = nil, TrailingButton? = nil)

  var subject: ScreenSubject? {
    switch self {
    case .list(let subject, _), .item(let subject, _), .photos(let subject): subject
    case .about, .custom: nil
    }
  }

  /// The screen's name, for example on the back button of the next screen.
  func name(_ style: ScreenStyle) -> String {
    switch self {
    case .list(let subject, _), .item(let subject, _), .photos(let subject): subject.title
    case .about: style.texts.about(style.serverName)
    case .custom(let title, _, _): title
    }
  }
}

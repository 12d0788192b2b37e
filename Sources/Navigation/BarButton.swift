import Inventory

/// A button of a navigation bar or a toolbar.
package struct BarButton: Sendable, Equatable {
  package var action: BarAction
  package var title: String
  /// The name of the image to draw. For languages written from right to left, a client mirrors the layout, never the
  /// images.
  package var image: String
  package var isEnabled: Bool

  /// - Parameter title: nil for the action's title in the language.
  init(_ action: BarAction, _ style: ScreenStyle, title: String? = nil, isEnabled: Bool = true) {
    self.action = action
    self.title = title ?? style.texts.button(action)
    image = Self.image(of: action, style.direction)
    self.isEnabled = isEnabled
  }

  /// The trailing button of a client's own screen.
  init(_ button: TrailingButton, _ style: ScreenStyle) {
    self.init(button.action, style, title: button.title, isEnabled: button.isEnabled)
  }

  private static func image(of action: BarAction, _ direction: WritingDirection) -> String {
    let isMirrored = direction == .rightToLeft
    return switch action {
    case .back: isMirrored ? "chevron-right" : "chevron-left"
    case .add: "plus"
    case .cancel: "cross"
    case .edit: "pencil"
    case .done, .save: "check"
    case .move: "folder"
    case .previous: isMirrored ? "arrow-right" : "arrow-left"
    case .photos: "camera"
    case .next: isMirrored ? "arrow-left" : "arrow-right"
    }
  }
}

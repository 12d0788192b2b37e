import Inventory

extension NavigatorDetails {
  /// The screens of a tab's stack, ready to draw.
  ///
  /// - Parameters:
  ///   - subjects: the lists and items of the screens.
  ///   - maySave: whether the caller may change the fields of a list.
  package static func screens(
    of stack: [ScreenReference], _ subjects: [RowID: ScreenSubject], maySave: Bool,
    _ style: ScreenStyle
  ) -> [Screen] {
    var below: [Crumb] = []
    return stack.map { reference in
      let content = ScreenContent(reference, subjects, maySave: maySave)
      let screen = Screen(content, below: below, style)
      below.append(Crumb(id: reference.target.row, title: content.name(style)))
      return screen
    }
  }
}

extension ScreenContent {
  fileprivate init(
    _ reference: ScreenReference, _ subjects: [RowID: ScreenSubject], maySave: Bool
  ) {
    let subject =
      reference.target.row.flatMap { subjects[$0] } ?? ScreenSubject(title: "", can: [])
    switch reference.target {
    case .list:
      let mode: ListMode =
        switch reference.mode {
        case .edit: .edit
        case .details: .details(maySave: maySave)
        case .add:
          .add(
            reference.added ?? subject.accepts.usual,
            isTooDeep: reference.added == .list && subject.isTooDeepForLists)
        case .browse, .move, nil: .browse
        }
      self = .list(subject, mode)
    case .item: self = .item(subject, reference.mode == .edit ? .edit : .browse(nil))
    case .photos: self = .photos(subject)
    case .about: self = .about
    case .custom(_, let title):
      self = .custom(title: title, prompt: reference.prompt, reference.trailing)
    }
  }
}

extension AcceptedKind {
  /// The kind that is added by default.
  package var usual: AddedKind { self == .car ? .car : .thing }
}

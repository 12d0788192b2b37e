import Inventory
import Testing

@testable import Navigation

@Suite("The bars of each screen in each mode")
struct ScreenTableTests {
  static let kitchen = ScreenSubject(title: "Kitchen", can: .all)
  static let kettle = ScreenSubject(title: "Kettle", can: .all)
  static let between = Neighbours(previous: nil, next: nil, index: 0, count: 1)

  /// One line of the table of screens.
  struct Line: Sendable, CustomTestStringConvertible {
    let name: String
    let content: ScreenContent
    /// How many screens are below.
    let below: Int
    let leading: BarAction?
    let title: String
    var prompt: String?
    let trailing: BarAction?
    var hasToolbar = false
    var togglesBars = false
    var testDescription: String { name }
  }

  static let lines = [
    Line(
      name: "first screen, list, browse", content: .list(kitchen, .browse), below: 0,
      leading: nil, title: "Kitchen", trailing: .edit),
    Line(
      name: "first screen, list, edit", content: .list(kitchen, .edit), below: 0,
      leading: .add, title: "Kitchen", trailing: .done),
    Line(
      name: "later screen, list, browse", content: .list(kitchen, .browse), below: 1,
      leading: .back, title: "Kitchen", trailing: .edit),
    Line(
      name: "later screen, list, edit", content: .list(kitchen, .edit), below: 1,
      leading: .add, title: "Kitchen", trailing: .done),
    Line(
      name: "list, details", content: .list(kitchen, .details(maySave: true)), below: 1,
      leading: .cancel, title: "Edit Kitchen", trailing: .save),
    Line(
      name: "list, add a list", content: .list(kitchen, .add(.list)), below: 1,
      leading: .cancel, title: "Add list", trailing: .save),
    Line(
      name: "list, add a thing", content: .list(kitchen, .add(.thing)), below: 1,
      leading: .cancel, title: "Add thing", trailing: .save),
    Line(
      name: "list, add a car", content: .list(kitchen, .add(.car)), below: 1,
      leading: .cancel, title: "Add car", trailing: .save),
    Line(
      name: "list, move", content: .list(kitchen, .move(name: "Kettle", isAccepted: true)),
      below: 1, leading: .cancel, title: "Kitchen", prompt: "Move Kettle to another list.",
      trailing: .move),
    Line(
      name: "item, browse", content: .item(kettle, .browse(between)), below: 2,
      leading: .back, title: "Kettle", trailing: .edit, hasToolbar: true),
    Line(
      name: "item, edit", content: .item(kettle, .edit), below: 2,
      leading: .cancel, title: "Edit Kettle", trailing: .save),
    Line(
      name: "photos", content: .photos(kettle), below: 3,
      leading: .back, title: "Kettle", trailing: nil, togglesBars: true),
    Line(
      name: "about", content: .about, below: 1,
      leading: .back, title: "About Rowhouse", trailing: nil),
    Line(
      name: "the client's own", content: .custom(title: "Welcome"), below: 1,
      leading: .back, title: "Welcome", trailing: nil),
    Line(
      name: "the client's own, with a prompt and a button",
      content: .custom(
        title: "Welcome", prompt: "Drag rows.", TrailingButton(.done, title: "Start")),
      below: 1, leading: .back, title: "Welcome", prompt: "Drag rows.", trailing: .done),
  ]

  @Test(arguments: lines)
  func `each line of the table`(line: Line) {
    let screen = Screen(line.content, below: crumbs(line.below), .sample)
    let bar = screen.navigationBar
    #expect(bar.leading?.action == line.leading)
    #expect(bar.title == line.title)
    #expect(bar.titleFits)
    #expect(bar.prompt == line.prompt)
    #expect(bar.trailing?.action == line.trailing)
    #expect(bar.trailing?.isEnabled ?? true)
    #expect((screen.toolbar != nil) == line.hasToolbar)
    #expect(screen.barTogglesOnTap == line.togglesBars)
    #expect(screen.level == line.below + 1)
    #expect(screen.direction == .leftToRight)
  }

  @Test(arguments: Permissions.combinations)
  func `a list's bars go by what it permits, in all sixteen combinations`(can: Permissions) {
    let subject = ScreenSubject(title: "Kitchen", can: can)
    let canAdd = can.contains(.add)
    let isEditable = can.contains(.edit) || can.contains(.move) || can.contains(.delete)
    for below in [0, 1] {
      let back: BarAction? = below == 0 ? nil : .back
      let browse = Screen(.list(subject, .browse), below: crumbs(below), .sample).navigationBar
      #expect(browse.leading?.action == back)
      #expect(browse.trailing?.action == (isEditable ? .edit : canAdd ? .add : nil))
      let edit = Screen(.list(subject, .edit), below: crumbs(below), .sample).navigationBar
      #expect(edit.leading?.action == (canAdd ? .add : back))
      #expect(edit.trailing?.action == .done)
    }
    let item = Screen(.item(subject, .browse(nil)), below: crumbs(1), .sample).navigationBar
    #expect(item.trailing?.action == (can.contains(.edit) ? .edit : nil))
    let save = Screen(.item(subject, .edit), below: crumbs(1), .sample).navigationBar.trailing
    #expect(save?.isEnabled == can.contains(.edit))
    let row = Screen(.list(subject, .browse), below: [], .sample).row
    #expect(row.can == can)
  }

  @Test(arguments: lines)
  func `the first screen has nothing to go back by, whatever it is`(line: Line) {
    let leading = Screen(line.content, below: [], .sample).navigationBar.leading
    #expect(leading?.action != .back)
    if line.leading == .back { #expect(leading == nil) }
  }

  @Test(arguments: lines)
  func `the leading place is for back, cancel or add only`(line: Line) {
    for can in Permissions.combinations {
      for below in 0...4 {
        let content = line.content.permitting(can)
        let leading = Screen(content, below: crumbs(below), .sample).navigationBar.leading
        #expect(leading.map { [.back, .cancel, .add].contains($0.action) } ?? true)
      }
    }
  }

  @Test func `save and move are enabled where the change would be done`() {
    func trailing(_ content: ScreenContent) -> BarButton? {
      Screen(content, below: crumbs(1), .sample).navigationBar.trailing
    }
    #expect(trailing(.list(Self.kitchen, .details(maySave: false)))?.isEnabled == false)
    #expect(
      trailing(.list(Self.kitchen, .move(name: "x", isAccepted: false)))
        == BarButton(.move, .sample, isEnabled: false))
    let closed = ScreenSubject(title: "x", can: [.edit, .move, .delete])
    let things = ScreenSubject(title: "x", can: .add, accepts: .thing)
    let cars = ScreenSubject(title: "x", can: .add, accepts: .car)
    for kind in AddedKind.allCases {
      #expect(trailing(.list(closed, .add(kind)))?.isEnabled == false)
      #expect(trailing(.list(things, .add(kind)))?.isEnabled == (kind != .car))
      #expect(trailing(.list(cars, .add(kind)))?.isEnabled == (kind != .thing))
      #expect(trailing(.list(Self.kitchen, .add(kind, isTooDeep: true)))?.isEnabled == false)
    }
  }

  @Test func `a button of the client's own is titled by it, or as its action is`() {
    func trailing(_ button: TrailingButton) -> BarButton? {
      Screen(.custom(title: "x", button), below: crumbs(1), .sample).navigationBar.trailing
    }
    #expect(trailing(TrailingButton(.done)) == BarButton(.done, .sample))
    let own = trailing(TrailingButton(.next, title: "Start", isEnabled: false))
    #expect(own == BarButton(.next, .sample, title: "Start", isEnabled: false))
    #expect(own?.image == "arrow-right")
  }

  @Test func `the delete button's label is the list's, or the language's`() {
    let own = ScreenSubject(title: "x", can: .all, deleteLabel: "Sell")
    #expect(Screen(.list(own, .browse), below: [], .sample).row.deleteLabel == "Sell")
    #expect(Screen(.item(own, .edit), below: [], .sample).row.deleteLabel == "Sell")
    #expect(Screen(.list(Self.kitchen, .browse), below: [], .sample).row.deleteLabel == "Remove")
    #expect(Screen(.about, below: [], .sample).row.deleteLabel == "Remove")
    #expect(Screen(.about, below: [], .sample).row.can == [])
  }
}

extension ScreenContent {
  fileprivate func permitting(_ can: Permissions) -> ScreenContent {
    func limited(_ subject: ScreenSubject) -> ScreenSubject {
      ScreenSubject(title: subject.title, can: can)
    }
    return switch self {
    case .list(let subject, let mode): .list(limited(subject), mode)
    case .item(let subject, let mode): .item(limited(subject), mode)
    case .photos(let subject): .photos(limited(subject))
    case .about, .custom: self
    }
  }
}

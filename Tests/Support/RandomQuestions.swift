import Inventory
import JSON

/// What to ask of an inventory to see whether two stores hold the same.
struct RandomQuestions {
  var random: SplitMix64
  /// How many of the items, and of the revisions, are asked about in one go.
  private let sample: Int

  init(seed: UInt64, sample: Int) {
    random = SplitMix64(seed: seed)
    self.sample = sample
  }

  /// All visible lists, and some of the items, places, revisions and of what is in the trash.
  mutating func questions(about state: ArrayState) -> [Question] {
    let names = NodeNames(root: state.rootID)
    let visible = VisibleTree(state).lists
    let all = state.lists.keys.map { names.number(RowID($0)) }.sorted()
    // The root that an import has replaced may be there as another list, which no number names.
    let lists =
      (visible + all.filter { !visible.contains($0) }.shuffled(using: &random).prefix(3))
      .filter { state.lists[names.list($0)] != nil }
    let items = state.items.keys.map { names.number(RowID($0)) }.sorted()
    var questions: [Question] = [.revision, .counts]
    for list in lists {
      let count = state[names.list(list)].rows.count
      questions += [
        .list(list), .place(list), .rows(of: list, PageWindow(limit: 1_000)),
        .rows(of: list, page(count: count)), .rows(of: list, pageBehindRow(of: list, state)),
        .sublists(of: list, PageWindow()), .totals(of: list), .depth(of: nil, in: list),
        .sublists(of: list, pageBehindRow(of: list, state)),
      ]
      for since in revisions(state) { questions.append(.delta(of: list, since: since)) }
    }
    for since in revisions(state) + [state.revision.number - 1, state.revision.number] {
      questions.append(.activity(since: since))
    }
    for offset in [0, 3] {
      let start = PageWindow.Start.offset(offset)
      questions.append(.descendants(of: 0, PageWindow(start: start, limit: 100)))
      questions.append(
        .descendants(
          of: lists.randomElement(using: &random) ?? 0, PageWindow(start: start, limit: 5)))
    }
    questions.append(.descendants(of: 0, pageBehindRow(of: 0, state)))
    let list = lists.randomElement(using: &random) ?? 0
    questions += [.transfer(of: 0), .transfer(of: list), .items(of: list)]
    for item in items.shuffled(using: &random).prefix(sample) {
      questions += [.item(item), .place(item), .photos(of: item)]
    }
    for item in items.shuffled(using: &random).prefix(sample / 5) {
      questions.append(path(to: item, state))
    }
    let numbers = items + all + [9_998]
    questions += [
      .subjects(numbers.shuffled(using: &random).prefix(sample) + [0]), .appearance,
      .navigators(named: nil), .navigators(named: "Phone"), .navigator(9_999), .inventory,
    ]
    for row in numbers.shuffled(using: &random).prefix(sample) {
      questions += [
        .ancestor(row), .neighbours(row),
        .depth(of: row, in: lists.randomElement(using: &random) ?? 0),
      ]
    }
    for id in state.navigators.keys.map({ names.number(RowID($0.uuid)) }).sorted() {
      questions.append(.navigator(id))
    }
    questions += searches(lists) + lookups(state)
    for list in lists.shuffled(using: &random).prefix(max(3, sample / 4)) {
      questions.append(.view(of: list, view(of: list, state)))
    }
    // Items taken for lists, lists for items, and ids that name nothing.
    questions += [.resolve([]), .resolve(["Nowhere"]), .place(9_999), .list(9_999), .item(9_999)]
    questions += history(state)
    if let item = items.first { questions += [.list(item), .item(lists.last ?? 0)] }
    return questions
  }

  /// Some of the photos that items have.
  mutating func photos(in state: ArrayState) -> [ArrayState.StoredPhoto] {
    state.items.values.flatMap(\.photos).compactMap { state.photos[$0] }
      .sorted { $0.photo.id.description < $1.photo.id.description }
      .shuffled(using: &random).prefix(sample / 4).map { $0 }
  }

  private mutating func history(_ state: ArrayState) -> [Question] {
    let names = NodeNames(root: state.rootID)
    let (first, last) = (state.historyStart.number, state.revision.number)
    let trash = state.trash.keys.map(names.number).sorted()
    let anchor = names.row(trash.randomElement(using: &random) ?? 1)
    return [
      .trash(PageWindow(limit: 1_000)), .trash(page(count: trash.count)),
      .trash(PageWindow(start: .after(anchor), limit: 3)),
      .changes(since: nil, before: nil, offset: 0, limit: 1_000),
      .changes(
        since: Int64.random(in: first - 1...last + 1, using: &random),
        before: Bool.random(using: &random)
          ? nil : Int64.random(in: first...last + 2, using: &random),
        offset: Int.random(in: 0...5, using: &random), limit: 3),
      .change(Int64.random(in: first...last + 1, using: &random)), .change(last),
    ]
  }

  private mutating func lookups(_ state: ArrayState) -> [Question] {
    let details = state.items.values.map(\.details)
    let serials = Set(details.compactMap(\.serialNumber)).sorted().prefix(8)
    var lookups: [ItemLookup] = [
      .serialNumber(serials.randomElement(using: &random) ?? "a1"), .serialNumber("A1 "),
      .tag("red"), .tag("Red"), .tag("re"), .field(name: "nothing", value: "red"),
    ]
    let fields = Set(details.map(\.fields.json)).sorted().prefix(8)
    if let json = fields.randomElement(using: &random),
      case .object(let object) = try? JSONReader.parse(Array(json.utf8))
    {
      for (name, value) in object.members {
        switch value {
        case .string(let text): lookups.append(.field(name: name, value: text))
        case .number(let number): lookups.append(.field(name: name, value: number.text))
        case .bool(let flag): lookups.append(.field(name: name, value: "\(flag)"))
        default: lookups.append(.field(name: name, value: "null"))
        }
      }
    }
    return lookups.map { .lookup($0) }
  }

  private mutating func searches(_ lists: [Int]) -> [Question] {
    let words = [
      "Box", "bo", "box 1", "ECLAIR", "éc", "e\u{301}clair 1", "1985", "a1", "B", "two lines",
      "line",
      "red", "re new", "50", "1.50", "a 1", "\"red OR", "NEAR(box 1)", "new*", "b-2", "color li",
    ]
    return (0..<max(4, sample / 4)).map { _ in
      .search(
        // Without words it is the tag alone that is looked for.
        Int.random(in: 0..<8, using: &random) == 0 ? "" : words.randomElement(using: &random) ?? "",
        below: Bool.random(using: &random) ? 0 : lists.randomElement(using: &random) ?? 0,
        Bool.random(using: &random) ? nil : SearchQuery.Kind.allCases.randomElement(using: &random),
        tag: Int.random(in: 0..<4, using: &random) == 0 ? "red" : nil)
    } + [
      .tags(prefix: "", offset: 0, limit: 5), .tags(prefix: "R", offset: 0, limit: 1),
      .tags(prefix: "", offset: Int.random(in: 0...4, using: &random), limit: 2),
    ]
  }

  private mutating func view(of list: Int, _ state: ArrayState) -> RowView {
    var view = RowView(
      window: page(count: state[NodeNames(root: state.rootID).list(list)].rows.count))
    if Bool.random(using: &random), let key = SortOrder.Key.allCases.randomElement(using: &random) {
      view.sort = SortOrder(key: key, isDescending: Bool.random(using: &random))
    }
    view.members =
      ([.all] + RowView.Members.allCases).randomElement(using: &random) ?? .all
    view.text = [nil, nil, "ox 1", "É", "a1", "ed", "x"].randomElement(using: &random) ?? nil
    view.threshold =
      [nil, nil, Cents(0), Cents(150), Cents(499_99)].randomElement(using: &random) ?? nil
    if Int.random(in: 0..<5, using: &random) == 0 {
      view.window.start = pageBehindRow(of: list, state).start
    }
    return view
  }

  private mutating func revisions(_ state: ArrayState) -> [Int64] {
    let (first, last) = (state.historyStart.number, state.revision.number)
    guard last - first >= sample else { return Array(first - 1...last + 1) }
    return (0..<max(1, sample / 6)).map { _ in Int64.random(in: first...last, using: &random) }
  }

  private mutating func page(count: Int) -> PageWindow {
    PageWindow(
      start: .offset(Int.random(in: 0...count + 2, using: &random)),
      limit: Int.random(in: 1...10, using: &random))
  }

  private mutating func pageBehindRow(of list: Int, _ state: ArrayState) -> PageWindow {
    let names = NodeNames(root: state.rootID)
    let rows = state[names.list(list)].rows
    let anchor = rows.randomElement(using: &random) ?? names.row(1)
    return PageWindow(start: .after(anchor), limit: Int.random(in: 1...10, using: &random))
  }

  /// By the titles of what is visible, contents lists left out.
  private func path(to number: Int, _ state: ArrayState) -> Question {
    let names = NodeNames(root: state.rootID)
    let chain = state.chain(of: names.row(number)).dropLast().reversed()
    let steps = chain.filter { state.lists[ListID($0)]?.item == nil }
    return .resolve(steps.map { state.step($0).title })
  }
}

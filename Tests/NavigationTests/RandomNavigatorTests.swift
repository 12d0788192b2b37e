import Inventory
import Navigation
import Support
import Testing

@Suite("A navigator stays one, whatever is done to it")
struct RandomNavigatorTests {
  @Test(arguments: 0..<50)
  func `over any history`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var navigator = NavigatorDetails(root: ListID(row(1)), tab: TabID("a"))
    for step in 0..<400 {
      let before = navigator
      do {
        try change(&navigator, &random)
      } catch {
        #expect(navigator == before, "seed \(seed), step \(step): \(error) has changed something")
      }
      let faults = faults(in: navigator)
      #expect(faults.isEmpty, "seed \(seed), step \(step): \(faults)")
      guard faults.isEmpty else { return }
    }
  }

  private func faults(in navigator: NavigatorDetails) -> [String] {
    var faults: [String] = []
    let ids = navigator.tabs.map(\.id)
    if !ids.contains(navigator.selectedTab) { faults.append("no tab is selected") }
    if Set(ids).count != ids.count { faults.append("a tab is there twice") }
    if !(1...Limits.tabs).contains(ids.count) { faults.append("\(ids.count) tabs") }
    for tab in navigator.tabs {
      if !(1...Limits.screensOnStack).contains(tab.stack.count) {
        faults.append("\(tab.stack.count) screens")
      }
      if tab.stack.first?.isMomentary == true { faults.append("a momentary root screen") }
      if tab.stack.dropLast().contains(where: \.isMomentary) {
        faults.append("a momentary screen below another")
      }
    }
    return faults
  }

  private func change(
    _ navigator: inout NavigatorDetails, _ random: inout SplitMix64
  ) throws {
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<10: try navigator.push(screen(&random))
    case 10, 11: _ = navigator.pop()
    case 12: try navigator.pop(to: Int.random(in: -1...70, using: &random))
    case 13: try navigator.pop(to: screen(&random).target)
    case 14: navigator.popToRoot()
    case 15:
      let count = Int.random(in: 0...70, using: &random)
      try navigator.setStack((0..<count).map { _ in screen(&random) })
    case 16:
      navigator.open(
        (1...Int.random(in: 1...90, using: &random)).map {
          PathStep(id: row($0), title: "x", isList: true)
        })
    case 17, 18: try navigator.select(tab(&random))
    case 19:
      let count = Int.random(in: 0...22, using: &random)
      try navigator.setTabs(
        (0..<count).map { number in
          NewTab(
            id: number < 3 ? tab(&random) : TabID("tab \(number)"),
            stack: Bool.random(using: &random) ? [screen(&random)] : nil)
        }, root: ListID(row(1)))
    case 20: try navigator.reorderTabs(navigator.tabs.map(\.id).shuffled(using: &random))
    case 21: navigator.leaveOutMomentary()
    default:
      let gone = (0..<3).map { _ in row(Int.random(in: 2...6, using: &random)) }
      navigator.settle({ $0.row.map { !gone.contains($0) } ?? true }, nearest: { _ in list(1) })
    }
  }

  private func tab(_ random: inout SplitMix64) -> TabID {
    TabID(["a", "b", "c", "d"].randomElement(using: &random) ?? "a")
  }

  private func screen(_ random: inout SplitMix64) -> ScreenReference {
    let number = Int.random(in: 1...6, using: &random)
    let targets: [ScreenTarget] = [
      list(number), item(number), .photos(ItemID(row(number))), .about,
      .custom(name: "splash", title: "x"),
    ]
    return ScreenReference(
      targets.randomElement(using: &random) ?? .about,
      isMomentary: Int.random(in: 0..<5, using: &random) == 0)
  }
}

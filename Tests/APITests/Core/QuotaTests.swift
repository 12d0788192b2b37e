import Inventory
import Testing

@testable import API

@Suite struct `Shares of a limit` {
  private let quota = Quota(100)
  private let first = caller()
  private let second = caller()
  private let third = caller()

  private static func caller(
    of inventory: InventoryID = InventoryID(.version7()), root: ListID? = nil
  ) -> Caller {
    Caller(
      inventory: inventory, root: root, role: .editor, name: "caller",
      grant: .token(TokenID(.version7())))
  }

  /// Takes one at a time until it is refused. Returns the number.
  private func takeAll(for caller: Caller?) -> Int {
    var count = 0
    while quota.take(for: caller) { count += 1 }
    return count
  }

  @Test func `a token leaves as much as it has`() {
    #expect(takeAll(for: first) == 50)
    #expect(takeAll(for: second) == 25)
    #expect(takeAll(for: third) == 13)
    #expect(takeAll(for: nil) == 12)
    #expect(quota.inUse == 100)
  }

  @Test func `an inventory leaves a third of what it has, however many tokens it has`() {
    let inventories = (0..<2).map { _ in InventoryID(.version7()) }
    func takeAll(_ inventory: InventoryID) -> Int {
      (0..<20).reduce(0) { sum, _ in sum + self.takeAll(for: Self.caller(of: inventory)) }
    }
    #expect(takeAll(inventories[0]) == 75)
    #expect(takeAll(inventories[1]) == 19)
  }

  @Test(arguments: [2, 3, 4, 8, 16, 100, 1_000])
  func `list tokens leave a part to those who see the whole inventory`(limit: Int) {
    let quota = Quota(limit)
    let inventory = InventoryID(.version7())
    for _ in 0..<50 {
      let guest = Self.caller(of: inventory, root: ListID(.version7()))
      while quota.take(for: guest) {}
    }
    #expect(quota.inUse > 0)
    let owner = Self.caller(of: inventory)
    #expect(quota.take(for: owner))
    guard limit == 1_000 else { return }
    #expect(quota.inUse == 668)
    while quota.take(for: owner) {}
    #expect(quota.inUse == 750)
  }

  @Test func `the tokens of one list leave as much as they have to those of another`() {
    let inventory = InventoryID(.version7())
    let lists = (0..<2).map { _ in ListID(.version7()) }
    let counts = lists.map { list in
      (0..<20).reduce(0) { sum, _ in sum + takeAll(for: Self.caller(of: inventory, root: list)) }
    }
    #expect(counts == [50, 17])
  }

  @Test func `a share is free again once it is given back`() {
    #expect(takeAll(for: first) == 50)
    quota.give(50, for: first)
    #expect(quota.inUse == 0)
    #expect(takeAll(for: second) == 50)
  }

  @Test func `large amounts count like many small ones`() {
    #expect(!quota.take(101, for: first))
    #expect(quota.take(40, for: first))
    #expect(!quota.take(21, for: first))
    #expect(quota.take(20, for: first))
    #expect(quota.take(20, for: second))
    #expect(!quota.take(1, for: second))
    #expect(quota.take(20, for: nil))
    #expect(!quota.take(1, for: nil))
  }

  @Test func `a limit of one is for everybody`() {
    let quota = Quota(1)
    #expect(quota.take(for: first))
    #expect(!quota.take(for: second))
    quota.give(for: first)
    #expect(quota.take(for: second))
  }
}

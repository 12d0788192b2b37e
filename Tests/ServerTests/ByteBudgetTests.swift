import Testing

@testable import Server

@Suite struct ByteBudgetTests {
  private let budget = ByteBudget(limit: 100)

  private func holder(_ number: UInt64, at address: UInt64 = 1) -> ByteBudget.Holder {
    ByteBudget.Holder(loop: 0, connection: number, address: address)
  }

  @Test func `of one address, the connection that holds most gives way to one that holds less`() {
    #expect(budget.take(60, for: holder(1)) == [])
    #expect(budget.take(30, for: holder(2)) == [])
    #expect(budget.take(60, for: holder(3)) == nil)
    #expect(budget.take(20, for: holder(3)) == [holder(1)])
    #expect(budget.inUse == 50)
    #expect(budget.held(by: holder(1)) == 0)
    // What is lost is not given back once more.
    budget.give(60, of: holder(1))
    #expect(budget.inUse == 50)
    budget.give(30, of: holder(2))
    budget.give(20, of: holder(3))
    #expect(budget.inUse == 0)
  }

  @Test func `connections of the address that holds most give way to another address`() {
    for number: UInt64 in 1...7 {
      #expect(budget.take(10 + Int(number), for: holder(number)) == [])
    }
    #expect(budget.take(18, for: holder(8)) == nil)
    let newcomer = holder(20, at: 2)
    #expect(budget.take(40, for: newcomer) == [holder(7), holder(6), holder(5)])
    #expect(budget.inUse == 11 + 12 + 13 + 14 + 40)
    // Now the other one holds less than that would be.
    #expect(budget.take(30, for: newcomer) == nil)
    #expect(budget.take(11, for: holder(1)) == nil)
  }

  @Test func `what is kept gives way to nobody`() {
    #expect(budget.take(80, for: holder(1)) == [])
    budget.keep(80, of: holder(1))
    #expect(budget.take(30, for: holder(2, at: 2)) == nil)
    #expect(budget.inUse == 80)
    budget.give(80)
    #expect(budget.take(30, for: holder(2, at: 2)) == [])
    // It came whole although others had been given its bytes.
    #expect(budget.take(90, for: holder(3, at: 3)) == nil)
    #expect(budget.take(70, for: holder(3, at: 3)) == [])
    #expect(budget.take(20, for: holder(4, at: 4)) == [holder(3, at: 3)])
    budget.keep(70, of: holder(3, at: 3))
    #expect(budget.inUse == 120)
    budget.give(70)
    #expect(budget.inUse == 50)
  }
}

import Inventory
import Testing

@testable import API

@Suite struct `Shares of a limit` {
  private let quota = Quota(100)
  private let first = TokenID(.version7())
  private let second = TokenID(.version7())
  private let third = TokenID(.version7())

  /// Takes one at a time until it is refused. Returns the number.
  private func takeAll(for token: TokenID?) -> Int {
    var count = 0
    while quota.take(for: token) { count += 1 }
    return count
  }

  @Test func `a token leaves as much as it has`() {
    #expect(takeAll(for: first) == 50)
    #expect(takeAll(for: second) == 25)
    #expect(takeAll(for: third) == 13)
    #expect(takeAll(for: nil) == 12)
    #expect(quota.inUse == 100)
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

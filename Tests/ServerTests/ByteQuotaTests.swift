import Testing

@testable import Server

@Suite struct ByteQuotaTests {
  private let quota = ByteQuota(limit: 100)

  private func holder(_ number: UInt64, at address: UInt64 = 1) -> ByteQuota.Holder {
    ByteQuota.Holder(loop: 0, connection: number, address: address)
  }

  @Test func `of one address, the connection that holds most gives way to one that holds less`() {
    #expect(quota.take(60, for: holder(1)) == [])
    #expect(quota.take(30, for: holder(2)) == [])
    #expect(quota.take(60, for: holder(3)) == nil)
    #expect(quota.take(20, for: holder(3)) == [holder(1)])
    #expect(quota.inUse == 50)
    #expect(quota.held(by: holder(1)) == 0)
    // Lost bytes are not returned a second time.
    quota.give(60, of: holder(1))
    #expect(quota.inUse == 50)
    quota.give(30, of: holder(2))
    quota.give(20, of: holder(3))
    #expect(quota.inUse == 0)
  }

  @Test func `connections of the address that holds most give way to another address`() {
    for number: UInt64 in 1...7 {
      #expect(quota.take(10 + Int(number), for: holder(number)) == [])
    }
    #expect(quota.take(18, for: holder(8)) == nil)
    let newcomer = holder(20, at: 2)
    #expect(quota.take(40, for: newcomer) == [holder(7), holder(6), holder(5)])
    #expect(quota.inUse == 11 + 12 + 13 + 14 + 40)
    // Now the other one holds less than that would be.
    #expect(quota.take(30, for: newcomer) == nil)
    #expect(quota.take(11, for: holder(1)) == nil)
  }

  @Test func `kept bytes cannot be taken by another connection`() {
    #expect(quota.take(80, for: holder(1)) == [])
    quota.keep(80, of: holder(1))
    #expect(quota.take(30, for: holder(2, at: 2)) == nil)
    #expect(quota.inUse == 80)
    quota.give(80)
    #expect(quota.take(30, for: holder(2, at: 2)) == [])
    // It came whole although others had been given its bytes.
    #expect(quota.take(90, for: holder(3, at: 3)) == nil)
    #expect(quota.take(70, for: holder(3, at: 3)) == [])
    #expect(quota.take(20, for: holder(4, at: 4)) == [holder(3, at: 3)])
    quota.keep(70, of: holder(3, at: 3))
    #expect(quota.inUse == 120)
    quota.give(70)
    #expect(quota.inUse == 50)
  }
}

import FoundationEssentials
import Inventory
import Testing

@testable import API

@Suite struct `The cache of encoded pages` {
  private func key(_ number: Int, role: Role = .owner) -> PageCache.Key {
    PageCache.Key(
      list: ListID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))),
      window: PageWindow(start: .offset(number)), showsSentinel: true, language: .english,
      role: role, inventory: nil, root: nil)
  }

  private func entry(_ revision: Int64, bytes: Int = 100) -> PageCache.Entry {
    PageCache.Entry(
      revision: Revision(revision), body: [UInt8](repeating: 7, count: bytes), shown: 1,
      lastRow: nil)
  }

  @Test func `answers a page only at the revision it was kept at`() {
    let cache = PageCache(limit: 1 << 20)
    cache.keep(entry(5), key(0))
    #expect(cache.entry(key(0), at: Revision(5))?.body.count == 100)
    #expect(cache.entry(key(0), at: Revision(4)) == nil)
    #expect(cache.entry(key(0), at: Revision(6)) == nil)
    cache.keep(entry(6), key(0))
    #expect(cache.entry(key(0), at: Revision(5)) == nil)
    #expect(cache.entry(key(0), at: Revision(6)) != nil)
  }

  @Test func `has a separate entry for everything that affects the bytes`() {
    let cache = PageCache(limit: 1 << 20)
    cache.keep(entry(5), key(0))
    var other = key(0)
    other.root = other.list
    #expect(cache.entry(key(0, role: .reader), at: Revision(5)) == nil)
    #expect(cache.entry(key(1), at: Revision(5)) == nil)
    #expect(cache.entry(other, at: Revision(5)) == nil)
  }

  @Test func `stays within its limit and keeps what is asked for again`() {
    let cache = PageCache(limit: 100_000)
    for number in 0..<10_000 {
      cache.keep(entry(1, bytes: 1_000), key(number))
      #expect(cache.entry(key(0), at: Revision(1)) != nil)
    }
    let kept = (0..<10_000).count { cache.entry(key($0), at: Revision(1)) != nil }
    // Looking moves entries between the generations, so not all that are kept are seen.
    #expect(kept >= 2 && kept <= 100)
  }

  @Test func `keeps nothing with a limit of nothing`() {
    let cache = PageCache(limit: 0)
    cache.keep(entry(1), key(0))
    #expect(cache.entry(key(0), at: Revision(1)) == nil)
  }
}

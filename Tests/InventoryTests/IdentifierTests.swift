import FoundationEssentials
import Inventory
import Testing

@Suite struct `Identifiers` {
  static let lowercase = "0192f4c1-7b2a-7c3d-8e4f-0123456789ab"

  @Test(arguments: [lowercase, lowercase.uppercased(), "0192F4c1-7B2a-7c3D-8e4F-0123456789aB"])
  func `are read in either letter case and written in lower case`(text: String) throws {
    let id = try #require(RowID(text: text))
    #expect(id.description == Self.lowercase)
    #expect(ListID(text: text).map { RowID($0) } == id)
    #expect(ItemID(text: text).map { RowID($0) } == id)
  }

  @Test(arguments: [
    "", "root", "0192f4c17b2a7c3d8e4f0123456789ab", "{0192f4c1-7b2a-7c3d-8e4f-0123456789ab}",
    "0192f4c1-7b2a-7c3d-8e4f-0123456789a", "0192f4c1-7b2a-7c3d-8e4f-0123456789abc",
    "0192f4c1-7b2a-7c3d-8e4f-0123456789ag", "0192f4c17-b2a-7c3d-8e4f-0123456789ab",
    " 192f4c1-7b2a-7c3d-8e4f-0123456789ab", "0192f4c1_7b2a_7c3d_8e4f_0123456789ab",
    "0192f4c1-7b2a-7c3d-8e4f-0123456789é",
  ])
  func `are nothing but a hyphenated UUID`(text: String) {
    #expect(RowID(text: text) == nil)
    #expect(ListID(text: text) == nil)
  }

  @Test func `of version 7 begin with the milliseconds and carry version and variant`() {
    let bytes = Self.bytes(.version7(at: Date(timeIntervalSince1970: 1_700_000_000.123)))
    let milliseconds = bytes.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    #expect((1_700_000_000_122...1_700_000_000_123).contains(milliseconds))
    #expect(bytes[6] >> 4 == 7)
    #expect(bytes[8] >> 6 == 0b10)
  }

  @Test func `of version 7 sort by their milliseconds and differ within one`() {
    let times = (0..<200).map { Date(timeIntervalSince1970: 1_700_000_000 + Double($0)) }
    let ids = times.map { UUID.version7(at: $0).uuidString }
    #expect(ids == ids.sorted())
    let date = times[0]
    #expect(Set((0..<1_000).map { _ in UUID.version7(at: date) }).count == 1_000)
  }

  @Test func `of version 7 made before 1970 have the time 0`() {
    let bytes = Self.bytes(.version7(at: Date(timeIntervalSince1970: -1)))
    #expect(bytes.prefix(6).allSatisfy { $0 == 0 })
  }

  private static func bytes(_ uuid: UUID) -> [UInt8] {
    withUnsafeBytes(of: uuid.uuid) { Array($0) }
  }
}

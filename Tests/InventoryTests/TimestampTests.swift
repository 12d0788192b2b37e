import FoundationEssentials
import Inventory
import Testing

@Suite struct `Timestamps are written as RFC 3339 has it` {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
    (1_795_000_000, "2026-11-18T11:06:40Z"), (-12_219_292_800, "1582-10-15T00:00:00Z"),
    (253_402_300_799, "9999-12-31T23:59:59Z"),
  ])
  func `Seconds since 1970 become a date and a time`(seconds: Int64, text: String) {
    #expect(Timestamp(seconds: seconds).description == text)
    #expect(Timestamp(rfc3339: text) == Timestamp(seconds: seconds))
  }

  @Test func `Every day is the one that Foundation has`() {
    let style = Date.ISO8601FormatStyle()
    for day in stride(from: -719_162, through: 2_932_896, by: 97) {
      let seconds = Int64(day) * 86_400 + Int64(day & 0xFFFF)
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(Timestamp(seconds: seconds).description == date.formatted(style))
    }
  }
}

import JSON
import Testing

/// What is written is read back the same.
@Suite struct RoundTripTests {
  @Test(arguments: [1, 2, 3, 4, UInt64.random(in: 0 ... .max)])
  func `random values survive writing and reading`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<500 {
      let value = Self.value(depth: 4, &random)
      var writer = JSONWriter(capacity: 0)
      writer.value(value)
      let bytes = writer.finish()
      let read = try JSONReader.parse(bytes)
      #expect(read == value)
      var again = JSONWriter()
      again.value(read)
      #expect(again.finish() == bytes)
    }
  }

  @Test(arguments: [1, 2, UInt64.random(in: 0 ... .max)])
  func `random decimals survive writing and reading`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<5_000 {
      let units = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
      let places = Int.random(in: 0...18, using: &random)
      var writer = JSONWriter()
      writer.decimal(units, places: places)
      guard case .number(let number) = try JSONReader.parse(writer.finish()) else {
        Issue.record("no number")
        return
      }
      #expect(number.scaled(places: places) == units)
    }
  }

  private static func value(depth: Int, _ random: inout SplitMix) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .number(JSONNumber(Int64(bitPattern: random.next())))
    case 3, 4, 5: return .string(text(&random))
    case 6:
      return .array(
        (0..<Int.random(in: 0..<6, using: &random)).map { _ in value(depth: depth - 1, &random) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0..<24, using: &random) {
        object.set(text(&random), to: value(depth: depth - 1, &random))
      }
      return .object(object)
    }
  }

  private static func text(_ random: inout SplitMix) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0..<20, using: &random) {
      let limit: UInt32 = [0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &random) ?? 0x80
      text.unicodeScalars.append(
        Unicode.Scalar(UInt32.random(in: 1..<limit, using: &random)) ?? "\u{fffd}")
    }
    return text
  }
}

import JSON
import Testing

/// Numbers are worked out from their digits, without rounding.
@Suite struct JSONNumberTests {
  private func number(_ text: String) throws -> JSONNumber {
    try #require(JSONNumber(text: text))
  }

  @Test(
    arguments: [
      ("5", 5), ("5.0", 5), ("5e0", 5), ("50e-1", 5), ("0.5e1", 5), ("-5", -5), ("-0", 0),
      ("0e99", 0), ("0.000", 0), ("1.5", nil), ("1e-1", nil), ("5e-324", nil),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil),
      ("9.223372036854775807e18", .max),
      ("922337203685477580.7", nil), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil),
      ("1e300", nil), ("9007199254740993", 9_007_199_254_740_993),
      ("123456789012345678", 123_456_789_012_345_678),
      ("-999999999999999999", -999_999_999_999_999_999),
      ("100000000000000000000e-2", 1_000_000_000_000_000_000),
    ] as [(String, Int64?)])
  func `a whole number is found however it is written`(text: String, expected: Int64?) throws {
    #expect(try number(text).int64 == expected)
  }

  @Test(
    arguments: [
      ("12.34", 2, .success(1234)), ("12.3", 2, .success(1230)), ("12", 2, .success(1200)),
      ("12.345", 2, .failure(.tooManyPlaces)), ("12.3400", 2, .success(1234)),
      ("1234e-2", 2, .success(1234)), ("-0.01", 2, .success(-1)),
      ("0.001", 2, .failure(.tooManyPlaces)),
      ("1e-999999", 2, .failure(.tooManyPlaces)), ("0e-999999", 2, .success(0)),
      ("999999999999.99", 2, .success(99_999_999_999_999)), ("0.1", 1, .success(1)),
      ("92233720368547758.07", 2, .success(.max)), ("-92233720368547758.08", 2, .success(.min)),
      ("92233720368547758.08", 2, .failure(.outOfRange)), ("1e300", 2, .failure(.outOfRange)),
      ("0.29", 2, .success(29)), ("1.005", 3, .success(1005)), ("5", 0, .success(5)),
    ] as [(String, Int, Result<Int64, JSONNumber.ScalingError>)])
  func `scaling is exact or refused`(
    text: String, places: Int, expected: Result<Int64, JSONNumber.ScalingError>
  ) throws {
    let number = try number(text)
    let scaled = Result { () throws(JSONNumber.ScalingError) in try number.exactly(places: places) }
    #expect(scaled == expected)
    #expect(number.scaled(places: places) == (try? expected.get()))
  }

  @Test(arguments: [
    ("1.0", "1e0", true), ("0", "-0.0", true), ("100", "1e2", true), ("1e2", "1E+02", true),
    ("0.1", "1e-1", true), ("0.1", "0.1000000000000000000001", false), ("1", "-1", false),
    ("1e5", "1e-5", false), ("9007199254740993", "9007199254740992", false), ("12", "120", false),
    ("1e-400", "0", false), ("1e-400", "10e-401", true), ("0e5", "0e-5", true),
  ])
  func `equality is of values`(left: String, right: String, isEqual: Bool) throws {
    #expect((try number(left) == number(right)) == isEqual)
  }

  @Test(arguments: ["", " 1", "1 ", "01", "1.", "x", "\"1\"", "1e400", "null", "--1"])
  func `an invalid number is refused`(text: String) {
    #expect(JSONNumber(text: text) == nil)
  }

  @Test(arguments: [("1.5", 1.5), ("-2e3", -2000), ("0.1", 0.1), ("1e-400", 0)])
  func `a double is the nearest`(text: String, expected: Double) throws {
    #expect(try number(text).double == expected)
  }
}

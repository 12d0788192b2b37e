import JSON
import Testing

/// Objects keep order and find members, small ones and large.
@Suite struct JSONObjectTests {
  @Test(arguments: [0, 1, 15, 16, 17, 18, 40])
  func `members are set, found, replaced and removed`(count: Int) {
    var object = JSONObject()
    for number in 0..<count { object.set("\(number)", to: .number(JSONNumber(Int64(number)))) }
    for number in 0..<count { object.set("\(number)", to: .string("\(number)")) }
    #expect(object.members.map(\.key) == (0..<count).map(String.init))
    #expect(object["\(count)"] == nil)
    for number in stride(from: 0, to: count, by: 2) {
      #expect(object.remove("\(number)") == .string("\(number)"))
    }
    #expect(object.remove("0") == nil)
    #expect(object.members.map(\.key) == stride(from: 1, to: count, by: 2).map { "\($0)" })
    for number in stride(from: 1, to: count, by: 2) {
      #expect(object["\(number)"] == .string("\(number)"))
    }
    object["new"] = .null
    #expect(object.contains("new"))
    object["new"] = nil
    #expect(!object.contains("new"))
  }

  @Test(arguments: [0, 3, 17, 50])
  func `equality ignores the order of members`(count: Int) {
    let members = (0..<count).map { (key: "\($0)", value: JSONValue.string("\($0)")) }
    let object = JSONObject(members)
    #expect(object == JSONObject(members.reversed()))
    #expect(object != JSONObject(members + [(key: "more", value: nil)]))
    var other = object
    other["0"] = 1
    #expect(object != other)
  }

  @Test func `strings are equal by code points`() {
    #expect(JSONValue.string("\u{e9}") != .string("e\u{301}"))
    #expect(JSONValue.array([1, 2]) != [2, 1])
    #expect(JSONValue.null != false)
  }
}

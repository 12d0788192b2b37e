import JSON
import Testing

/// RFC 7396.
@Suite struct MergePatchTests {
  @Test(
    arguments: [
      (["a": "b"], ["a": "c"], ["a": "c"]),
      (["a": "b"], ["b": "c"], ["a": "b", "b": "c"]),
      (["a": "b"], ["a": nil], [:]),
      (["a": "b", "b": "c"], ["a": nil], ["b": "c"]),
      (["a": ["b"]], ["a": "c"], ["a": "c"]),
      (["a": "c"], ["a": ["b"]], ["a": ["b"]]),
      (["a": ["b": "c"]], ["a": ["b": "d", "c": nil]], ["a": ["b": "d"]]),
      (["a": [["b": "c"]]], ["a": [1]], ["a": [1]]),
      (["a", "b"], ["c", "d"], ["c", "d"]),
      (["a": "b"], ["c"], ["c"]),
      (["a": "foo"], nil, nil),
      (["a": "foo"], "bar", "bar"),
      (["e": nil], ["a": 1], ["e": nil, "a": 1]),
      ([1, 2], ["a": "b", "c": nil], ["a": "b"]),
      ([:], ["a": ["bb": ["ccc": nil]]], ["a": ["bb": [:]]]),
      (["a": 1], ["a": ["b": nil, "c": 2]], ["a": ["c": 2]]),
      (["a": 1], [:], ["a": 1]),
      (["a": [nil]], ["a": [nil, nil]], ["a": [nil, nil]]),
    ] as [(JSONValue, JSONValue, JSONValue)])
  func `a patch is merged`(target: JSONValue, patch: JSONValue, expected: JSONValue) {
    #expect(MergePatch.apply(patch, to: target) == expected)
  }

  @Test func `what stays keeps its order and what is new follows`() {
    let target: JSONValue = ["c": 1, "a": 2, "b": 3]
    let patch: JSONValue = ["z": 1, "b": 4, "c": nil, "y": 2]
    guard case .object(let merged) = MergePatch.apply(patch, to: target) else {
      Issue.record("no object")
      return
    }
    #expect(merged.members.map(\.key) == ["a", "b", "z", "y"])
  }
}

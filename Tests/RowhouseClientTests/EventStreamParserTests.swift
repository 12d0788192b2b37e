import Testing

@testable import RowhouseClient

@Suite struct EventStreamParserTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var events: [ServerSentEvent] = []
    var lastID: String?
    var retry: Int?
    var testDescription: String { text.debugDescription }
  }

  static let cases = [
    Case(text: "data: a\n\n", events: [ServerSentEvent(name: "message", data: "a")]),
    Case(text: "data:a\r\n\r\n", events: [ServerSentEvent(name: "message", data: "a")]),
    Case(text: "data: a\r\r", events: [ServerSentEvent(name: "message", data: "a")]),
    Case(text: "data:  a\n\n", events: [ServerSentEvent(name: "message", data: " a")]),
    Case(text: "data: a\ndata: b\n\n", events: [ServerSentEvent(name: "message", data: "a\nb")]),
    Case(
      text: "id: 7\nevent: change\ndata: {\"a\":1}\n\nevent: gone\ndata: {}\n\n",
      events: [
        ServerSentEvent(name: "change", data: "{\"a\":1}", id: "7"),
        ServerSentEvent(name: "gone", data: "{}", id: "7"),
      ], lastID: "7"),
    Case(
      text: "id: 7\ndata: a\n\nid: 8\ndata: b\n\nid: 9\ndata: c",
      events: [
        ServerSentEvent(name: "message", data: "a", id: "7"),
        ServerSentEvent(name: "message", data: "b", id: "8"),
      ], lastID: "8"),
    Case(text: "retry: 2000\nid: 4\n\n", lastID: "4", retry: 2000),
    Case(text: ":\nid: 9\n\n", lastID: "9"),
    Case(text: "retry: soon\nid: a\0b\n\n"),
    Case(text: "data\n\n", events: [ServerSentEvent(name: "message", data: "")]),
    Case(
      text: "event: change\n\ndata: x\n\n", events: [ServerSentEvent(name: "message", data: "x")]),
    Case(text: "data: half"),
    Case(
      text: "data: \u{1F6AA} مرحبا\n\n",
      events: [ServerSentEvent(name: "message", data: "\u{1F6AA} مرحبا")]),
  ]

  @Test(arguments: cases)
  func `A stream reads the same however it is cut`(_ expected: Case) {
    let bytes = Array(expected.text.utf8)
    for cut in 0...bytes.count {
      var parser = EventStreamParser()
      var events = parser.feed(bytes[..<cut])
      events += parser.feed(bytes[cut...])
      #expect(events == expected.events, "cut at \(cut)")
      #expect(parser.lastID == expected.lastID)
      #expect(parser.retry == expected.retry)
    }
    var parser = EventStreamParser()
    #expect(bytes.flatMap { parser.feed([$0]) } == expected.events)
  }

  @Test func `What was cut off is not what to resume behind`() {
    let blocks = [
      "retry: 2000\nid: 4\n\n", "id: 5\nevent: change\ndata: {\"from\": 4}\n\n", ":\nid: 6\n\n",
      "id: 7\nevent: change\ndata: {}\ndata: {}\n\n",
    ]
    let bytes = Array(blocks.joined().utf8)
    for cut in 0...bytes.count {
      var parser = EventStreamParser(lastID: "3")
      _ = parser.feed(bytes[..<cut])
      var whole = 0
      var end = 0
      for block in blocks {
        end += block.utf8.count
        if end <= cut { whole += 1 }
      }
      #expect(parser.lastID == "\(3 + whole)", "cut at \(cut)")
      #expect(parser.hasBlock == (whole > 0))
    }
  }
}

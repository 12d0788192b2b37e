import HTTP
import Testing

@Suite struct FaultTests {
  @Test(arguments: RequestFault.allCases)
  func `every fault has a code for programs and a sentence for people`(fault: RequestFault) {
    #expect((400...599).contains(fault.status))
    #expect(fault.code.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) })
    #expect(fault.detail.hasSuffix("."))
  }

  static let broken: [(text: String, method: Method?)] = [
    ("HEAD /a/../b HTTP/1.1\r\nHost: h\r\n\r\n", .head),
    ("HEAD / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n", .head),
    ("HEAD / HTTP/1.1\r\n\r\n", .head),
    ("HEAD / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n", .head),
    ("HEAD / HTTP/3.0\r\n", .head),
    ("DELETE  / HTTP/1.1\r\n", .delete),
    ("HEAD\r\n", nil),
    ("GET / HTTP/1.1\r\nHost: h\r\n\r\nHE@D / HTTP/1.1\r\n", nil),
    ("GET / HTTP/1.1\r\nHost: h\r\n\r\nHEAD / HTTP/9\r\n", .head),
  ]

  @Test("the method of a broken request is known once it has been read", arguments: broken)
  func methodOfFault(text: String, method: Method?) {
    let bytes = Array(text.utf8)
    for split in 0...bytes.count {
      var parser = RequestParser()
      var hasFailed = false
      for input in [Array(bytes[..<split]), Array(bytes[split...])] {
        var offset = 0
        reading: while !hasFailed {
          switch parser.next(input.span, from: &offset) {
          case .fault: hasFailed = true
          case .more: break reading
          case .head, .body, .end: break
          }
        }
      }
      #expect(hasFailed)
      #expect(parser.method == method, "split at \(split)")
    }
  }
}

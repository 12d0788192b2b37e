import Server
import Testing

@Suite struct ListenAddressTests {
  @Test(arguments: [
    ("127.0.0.1:8080", ListenAddress.v4("127.0.0.1", port: 8080)),
    ("fd:3", .inherited(descriptor: 3)), ("[::1]:0", .v6("::1", port: 0)),
    ("unix:/a/b:1", .unix(path: "/a/b:1")), ("localhost:8080", .named("localhost", port: 8080)),
    ("a-b.example:1", .named("a-b.example", port: 1)),
    ("unix:/a?mode=0660", .unix(path: "/a", mode: 0o660)), ("unix:/a?b", .unix(path: "/a?b")),
  ])
  func `an address is read and written alike`(text: String, address: ListenAddress) {
    #expect(ListenAddress(text) == address)
    #expect(address.description == text)
  }

  @Test(arguments: [
    "", "8080", ":8080", "a:", "a:+1", "a:65536", "::1:80", "[::1]", "a:b", "a b:1",
    "a/b:1", "unix:/a?mode=", "unix:/a?mode=66", "unix:/a?mode=0888", "unix:/a?mode=4755",
  ])
  func `an invalid address is refused`(text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test func `a name is looked up, and what is none is left as it is`() throws {
    let local = try ListenAddress.named("localhost", port: 80).resolved()
    #expect(local == .v4("127.0.0.1", port: 80) || local == .v6("::1", port: 80))
    for address in [ListenAddress.v4("1.2.3.4", port: 1), .v6("::1", port: 2), .unix(path: "/a")] {
      #expect(try address.resolved() == address)
    }
    // RFC 6761 §6.4: no name below this one is ever known.
    #expect(throws: ServerError.unknownHost("nowhere.invalid")) {
      try ListenAddress.named("nowhere.invalid", port: 80).resolved()
    }
  }
}

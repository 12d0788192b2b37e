import Server
import Testing

@Suite struct ListenAddressTests {
  @Test(arguments: [
    ("127.0.0.1:8080", ListenAddress.v4("127.0.0.1", port: 8080)),
    ("fd:3", .inherited(descriptor: 3)), ("[::1]:0", .v6("::1", port: 0)),
    ("unix:/a/b:1", .unix(path: "/a/b:1")),
  ])
  func `an address is read and written alike`(text: String, address: ListenAddress) {
    #expect(ListenAddress(text) == address)
    #expect(address.description == text)
  }

  @Test(arguments: ["", "8080", ":8080", "a:", "a:+1", "a:65536", "::1:80", "[::1]", "a:b"])
  func `what is no address is refused`(text: String) {
    #expect(ListenAddress(text) == nil)
  }
}

import FoundationEssentials
import Inventory
import Testing

@Suite("Credentials")
struct CredentialTests {
  private static func read(_ text: String) -> Credential? {
    var text = text
    return text.withUTF8 { Credential(utf8: $0) }
  }

  @Test func `a credential is read back from the text that is shown once`() throws {
    let (credential, text) = Credential.random()
    #expect(text.utf8.count == 100)
    #expect(try #require(Self.read(text)) == credential)
    #expect(Credential.random().text != text)
  }

  @Test func `another secret is another digest`() throws {
    let (credential, text) = Credential.random()
    let last = text.hasSuffix("0") ? "1" : "0"
    let other = try #require(Self.read(text.dropLast() + last))
    #expect(other.token == credential.token)
    #expect(!Credential.matches(other.digest, credential.digest))
    #expect(!Credential.matches([], credential.digest))
    #expect(Credential.matches(credential.digest, credential.digest))
  }

  @Test(
    arguments: [
      "", "rh_", "rh__", "rh_" + String(repeating: "0", count: 97),
      "rx_" + String(repeating: "0", count: 32) + "_" + String(repeating: "0", count: 64),
      "rh_" + String(repeating: "0", count: 32) + "_" + String(repeating: "0", count: 63),
      "rh_" + String(repeating: "g", count: 32) + "_" + String(repeating: "0", count: 64),
      "rh_" + String(repeating: "0", count: 32) + "_" + String(repeating: "é", count: 32),
    ])
  func `an invalid credential is refused`(text: String) {
    #expect(Self.read(text) == nil)
  }
}

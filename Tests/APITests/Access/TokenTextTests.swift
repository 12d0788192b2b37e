import Testing

@testable import API

@Suite("Tokens in texts that are shown")
struct TokenTextTests {
  private static let token =
    "rh_" + String(repeating: "0a", count: 16) + "_" + String(repeating: "9f", count: 32)

  @Test(arguments: [
    (token, "rh_…"), ("a \(token) b \(token).", "a rh_… b rh_…."), ("rh_\(token)", "rh_rh_…"),
    (String(token.dropLast()), "rh_…"), (String(token.prefix(40)), "rh_…"),
    (token.uppercased().replacing("RH_", with: "rh_"), "rh_…"), ("rh_", "rh_"),
    ("rh_face", "rh_face"), ("worth_a", "worth_a"), ("", ""), ("title", "title"),
  ])
  func `are left out, whole or in part`(text: String, shown: String) {
    #expect(text.withoutTokens == shown)
  }
}

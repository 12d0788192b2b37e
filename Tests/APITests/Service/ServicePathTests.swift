import HTTP
import JSON
import Testing

@testable import API

@Suite("Health, readiness and about")
struct ServicePathTests {
  let service: Service
  init() throws { service = try Service() }

  @Test func `it is alive and ready`() throws {
    let health = try service.get("/healthz")
    #expect(health.status == 200)
    #expect(health.json == ["status": "ok"])
    #expect(health.fields["cache-control"] == "no-store")
    let ready = try service.get("/readyz")
    #expect(ready.status == 200)
    #expect(ready.json == ["status": "ready"])
  }

  @Test func `about has the name, the version and the counts`() throws {
    _ = try service.makeList(things: ["a", "b"])
    let about = try service.get("/v1/about")
    #expect(
      about.json == [
        "name": "Rowhouse", "version": "1.2.3", "build": "abc", "company": .null,
        "copyright": .null, "legal": .null, "licence": "MIT", "contact": .null, "support": .null,
        "credits": .null, "counts": ["lists": 2, "items": 2],
      ])
  }

  @Test func `answers are private and depend on who asks and in which language`() throws {
    for path in ["/v1/lists", "/v1/lists/root", "/v1/lists/root/rows", "/v1/lists/7"] {
      let answer = try service.get(path)
      #expect(answer.fields["cache-control"] == "private, no-cache")
      #expect(answer.fields["vary"] == "Authorization, Accept-Language, Rowhouse-Inventory")
      #expect(answer.fields["content-language"] == "en")
    }
  }

  @Test(
    "whatever is accepted, the answer is JSON", arguments: ["*/*", "text/html", "nonsense", ""])
  func accept(field: String) throws {
    let answer = try service.get("/v1/lists/root", ["Accept": field])
    #expect(answer.status == 200)
    #expect(answer.fields["content-type"] == "application/json")
  }

  @Test(
    "a language that is not there falls back to English",
    arguments: [
      "", "*", "en", "en-GB,en;q=0.5", "xx", "de-DE, de;q=0.9", "en;q=0", ";;;", "en;q=2",
      "xx;q=1.000, en;q=0.001", ",,", "q=",
    ])
  func language(field: String) throws {
    let answer = try service.get("/v1/lists/root", ["Accept-Language": field])
    #expect(answer.status == 200)
    #expect(answer.fields["content-language"] == "en")
  }

  @Test(
    "weights are read to the thousandth, and nothing else is",
    arguments: [
      ("en", "en", 1000), (" EN-gb ; q=0.5", "en-gb", 500), ("en;q=1.000", "en", 1000),
      ("en;q=0.001", "en", 1), ("en;q=1.001", "en", 0), ("en;q=.5", "en", 0),
      ("en;q=0.0001", "en", 0), ("en;q=x", "en", 0), ("en;q=", "en", 0), ("en;q=1.", "en", 1000),
      ("en;q=12", "en", 0), ("en;x=1;q=0.2", "en", 200), ("", "", 0), (";q=1", "", 0),
    ])
  func weight(element: String, token: String, weight: Int) {
    let read = QualityValue(Array(element.utf8))
    #expect(read.token == token)
    #expect(read.weight == weight)
  }
}

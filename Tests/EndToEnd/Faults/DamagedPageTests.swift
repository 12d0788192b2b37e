import Foundation
import Support
import Testing

/// Page by page a database is spoilt, and a server is started on it.
@Suite("A database with a damaged page")
struct DamagedPageTests {
  private static let pageSize = 4_096

  enum Damage: CaseIterable, Sendable {
    /// All of the page is other bytes.
    case page
    /// A few bytes here and there are.
    case bytes
    /// The page is that of another place.
    case misplaced
    /// The page was never written.
    case zeros
  }

  /// A home, and a list of some hundred rows.
  private func makeOriginal() throws -> Data {
    let folder = try TemporaryFolder()
    #expect(try Rowhouse.run("seed", "--db", folder.database).ending == .exit(0))
    #expect(
      try Rowhouse.run("seed", "--rows", "600", "--db", folder.database).ending == .exit(0))
    return try Data(contentsOf: URL(fileURLWithPath: folder.database))
  }

  private static func spoil(
    _ data: inout Data, _ page: Int, _ damage: Damage, _ random: inout SplitMix64
  ) {
    let start = page * pageSize
    switch damage {
    case .page:
      for offset in stride(from: start, to: start + pageSize, by: 8) {
        withUnsafeBytes(of: random.next()) { data.replaceSubrange(offset..<offset + 8, with: $0) }
      }
    case .bytes:
      for _ in 0..<8 {
        data[start + Int.random(in: 0..<pageSize, using: &random)] = .random(
          in: 0...255, using: &random)
      }
    case .misplaced:
      let other = Int.random(in: 1..<data.count / pageSize, using: &random) * pageSize
      data.replaceSubrange(start..<start + pageSize, with: data[other..<other + pageSize])
    case .zeros: data.resetBytes(in: start..<start + pageSize)
    }
  }

  /// What a client asks and changes all over the database.
  private static func use(_ client: Client) throws -> [Answer] {
    let lists = try client.get("/v1/lists?subtree=true&limit=1000")
    var answers = [lists]
    let ids = lists.at("/lists")?.elements.compactMap { $0["id"]?.text } ?? []
    for id in ["root"] + ids.prefix(8) {
      let page = try client.get("/v1/lists/\(id)/rows?limit=300")
      answers.append(page)
      answers.append(try client.moveRow(of: id, from: 0, to: 1))
      answers.append(
        try client.send("POST", "/v1/lists/\(id)/items", ["name": "Something more"]))
      for row in page.rows.prefix(3) {
        answers.append(try client.get("/v1/rows/\(row.id ?? "none")"))
        answers.append(try client.send("DELETE", "/v1/rows/\(row.id ?? "none")"))
      }
    }
    for path in ["/v1/search?q=s", "/v1/changes", "/v1/trash", "/v1/tags", "/v1/appearance"] {
      answers.append(try client.get(path))
    }
    return answers
  }

  private struct Outcome: Sendable {
    var isRefused = false
    var isFound = false
    var finding: String?
  }

  private static func live(with data: Data, _ folder: TemporaryFolder) throws -> Outcome {
    try data.write(to: URL(fileURLWithPath: folder.database))
    var outcome = Outcome()
    let check = try Rowhouse.run("check", "--db", folder.database)
    outcome.isFound = [.exit(1), .exit(65)].contains(check.ending)
    if !outcome.isFound, check.ending != .exit(0) {
      outcome.finding = "check ended with \(check.ending): \(check.errors)"
    }
    let server: RunningServer
    do {
      server = try RunningServer(database: folder.database, ["--log-format", "none"])
    } catch let early as RunningServer.EarlyEnd {
      outcome.isRefused = true
      if ![.exit(65), .exit(74)].contains(early.ending) || !early.errors.hasPrefix("error: ") {
        outcome.finding = "the start ended with \(early.ending): \(early.errors)"
      }
      return outcome
    }
    do {
      let answers = try use(try server.connect())
      let isFailed = answers.contains { $0.status == 500 }
      if let strange = answers.first(where: { $0.status > 500 && $0.status != 503 }) {
        outcome.finding = "answered \(strange.status)"
      }
      let remedy = "rowhouse restore BACKUP --db \(folder.database) --force"
      if isFailed {
        _ = try poll("a remedy in the log of a 500") {
          server.process.errors.contains(remedy) ? true : nil
        }
      }
    } catch { outcome.finding = "\(error)" }
    let ending = try server.stop()
    switch ending {
    case .exit(0): break
    // It may have ended by itself, where a commit has failed; the rest was not answered then.
    case .exit(74): outcome.finding = nil
    default: outcome.finding = "ended with \(ending): \(server.process.errors)"
    }
    return outcome
  }

  @Test(arguments: Damage.allCases)
  func `is refused or answers with problems, and never brings the server down`(_ damage: Damage)
    throws
  {
    let original = try makeOriginal()
    let count = original.count / Self.pageSize
    let all = Array(0..<count)
    let pages = FaultyDisk.isThorough ? all : (0..<6).map { $0 * (count - 1) / 5 }
    let outcomes = try onThreads(2) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      return try pages.enumerated().filter { $0.offset % 2 == thread }.map { _, page in
        var data = original
        Self.spoil(&data, page, damage, &random)
        let folder = try TemporaryFolder()
        var outcome = try Self.live(with: data, folder)
        outcome.finding = outcome.finding.map { "page \(page): \($0)" }
        return outcome
      }
    }.flatMap(\.self)
    let findings = outcomes.compactMap(\.finding)
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
    // Where all of a page is gone, `check` says so.
    if damage == .page { #expect(outcomes.count { $0.isFound } == pages.count) }
    if FaultyDisk.isThorough {
      print(
        "damaged \(damage), \(pages.count) databases: \(outcomes.count(where: \.isRefused)) refused,",
        "\(outcomes.count(where: \.isFound)) found by check, \(findings.count) findings")
    }
  }
}

import Foundation
import Support
import Testing

@Suite("When a process has no descriptor left", .serialized)
struct DescriptorTests {
  private static let limit = 96

  /// Seconds of the processors that a process has used.
  private func processorTime(of process: pid_t) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // Behind the name, which may hold blanks: state is field 3, user and system time are 14 and 15.
    let fields = try #require(text.split(separator: ")").last).split(separator: " ")
    let ticks = try #require(Double(fields[11])) + (try #require(Double(fields[12])))
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  @Test func `those who are connected are served, the others wait, and nothing spins`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(
      database: folder.database, ["--log-format", "none"], descriptors: Self.limit)
    let client = try server.connect()
    let list = try client.makeList("Shelf")
    var crowd: Crowd? = try Crowd(Self.limit + 50, port: server.port)
    #expect(
      crowd?.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8) == Self.limit + 50)
    // Answered as ever, for three seconds that would show a loop going round and round.
    let before = try processorTime(of: server.process.pid)
    for number in 0..<30 {
      try client.makeThing("thing \(number)", in: list)
      #expect(try client.rows(of: list).count == number + 1)
      usleep(100_000)
    }
    #expect(try processorTime(of: server.process.pid) - before < 1)
    withExtendedLifetime(crowd) {}
    crowd = nil
    // There is room again, once the server has seen to those who have left; until then it turns others away.
    let count = try poll("room for a client") {
      try? server.connect().get("/v1/lists/\(list)").number("/rowCount")
    }
    #expect(count == 30)
    #expect(try server.stop() == .exit(0))
    #expect(try Rowhouse.run("check", "--db", folder.database).ending == .exit(0))
  }
}

import Foundation
import HTTP
import Testing
import WebApp

@testable import API

/// Every route for everybody who may come: `access-table.txt` beside this file says what each is answered, and
/// `AccessLine.table` by a rule for each route what it ought to be.
///
/// `ROWHOUSE_TEST_RECORD=1 swift test --filter AccessTableTests` writes the file anew.
@Suite("Access to every route")
struct AccessTableTests {
  private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("access-table.txt")

  private static let routes = Route.all.filter { route in
    !WebFile.all.contains { $0.path == route.template }
  }.map { "\($0.method.name) \($0.template)" }

  @Test func `every route has its line, and every line a route`() {
    let lines = Set(AccessLine.table.map(\.route))
    let missing = Set(Self.routes).subtracting(lines).sorted()
    #expect(missing.isEmpty, "Say in AccessLine.table who may: \(missing)")
    #expect(lines.subtracting(Self.routes).isEmpty)
    #expect(Set(AccessLine.table.map(\.title)).count == AccessLine.table.count)
  }

  @Test func `each is answered by its rule, as the table says`() throws {
    let world = try AccessWorld()
    var rows: [String] = []
    for line in AccessLine.table {
      let statuses = try statuses(of: line, in: world)
      for (caller, status) in zip(AccessCaller.allCases, statuses) {
        let expected = line.rule.status(for: caller, success: line.success)
        #expect(status == expected, "\(line.title) by \(caller)")
      }
      rows.append(Self.row(line.title, statuses.map(String.init)))
    }
    let table = ([Self.legend, Self.header] + rows).joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["ROWHOUSE_TEST_RECORD"] == "1" {
      try table.write(to: Self.path, atomically: true, encoding: .utf8)
    }
    let recorded = (try? String(contentsOf: Self.path, encoding: .utf8)) ?? ""
    let difference = table.split(separator: "\n").difference(from: recorded.split(separator: "\n"))
    #expect(difference.isEmpty, "\(Self.path.lastPathComponent) says otherwise")
  }

  @Test func `what is not seen is not there, whatever is wrong with the body`() throws {
    let world = try AccessWorld()
    let door = try AccessDoor(world)
    for var line in AccessLine.table where line.body != nil {
      let names = ["/v1/lists/{", "/v1/items/{", "/v1/rows/{", "LIST"]
      guard case .named = line.rule, names.contains(where: (line.template + line.query).contains)
      else { continue }
      // Neither JSON nor a table, neither an export nor a photo.
      line.body = "{"
      for caller in AccessCaller.allCases where [.elsewhere, .beside].contains(caller.reach) {
        let answer = try door.ask(line, as: caller, world.inside).answer
        #expect(answer.status == 404, "\(line.title) by \(caller)")
      }
    }
  }

  @Test func `files are for everybody`() throws {
    let door = try AccessDoor(try AccessWorld())
    for file in WebFile.all {
      #expect(try door.service.get(file.path).status == 200)
      #expect(try door.service.get(file.path, ["Authorization": "Bearer x"]).status == 200)
    }
  }

  @Test func `a navigator is there for its holder alone`() throws {
    let world = try AccessWorld()
    let door = try AccessDoor(world)
    for line in AccessLine.table where line.template.contains("{navigatorId}") {
      for caller in AccessCaller.allCases where caller.reach != .none {
        for (holder, navigator) in world.navigators where holder != caller {
          var names = world.inside
          names["NAVIGATOR"] = navigator
          let answer = try door.ask(line, as: caller, names).answer
          #expect(answer.status == 404, "\(line.title): \(caller) and the one of \(holder)")
        }
      }
    }
  }

  /// What each caller is answered, all on the same database.
  private func statuses(of line: AccessLine, in world: AccessWorld) throws -> [Int] {
    var door = try AccessDoor(world)
    var statuses: [Int] = []
    for caller in AccessCaller.allCases {
      let answer = try door.ask(line, as: caller, world.inside).answer
      statuses.append(answer.status)
      // What has been changed by one must not be in the way of the next.
      if answer.status < 300, line.method != .get { door = try AccessDoor(world) }
    }
    return statuses
  }

  private static let legend = """
    What each route answers to whom; written by AccessTableTests with ROWHOUSE_TEST_RECORD=1.

    Requests name a list, an item and so on below the list Shelf of one inventory.
      token     none, an unknown one, and a revoked one
      other     of another inventory, as reader, editor and owner
      whole     of the inventory
      inside    with Shelf as its root
      beside    with the list next to Shelf as its root: what the request names is not there
      admin     of the server

    """

  private static let header = """
                                                        token        other        whole        inside       beside
                                                        no  bad rev  r   e   o    r   e   o    r   e   o    r   e   o    admin
    """

  private static func row(_ title: String, _ cells: [String]) -> String {
    var row = title + String(repeating: " ", count: max(1, 52 - title.count))
    for (number, cell) in cells.enumerated() { row += (number % 3 == 0 ? " " : "") + cell + " " }
    while row.last == " " { row.removeLast() }
    return row
  }
}

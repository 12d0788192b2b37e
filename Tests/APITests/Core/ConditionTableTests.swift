import HTTP
import JSON
import Testing

@Suite("Every request looks at If-Match, or refuses it")
struct ConditionTableTests {
  @Test func `an unknown revision is refused exactly by the calls with If-Match in the document`()
    throws
  {
    let world = try AccessWorld()
    for line in AccessLine.table {
      if case .absent = line.rule { continue }
      // The web app's pages are not in the document.
      let operation = Contract.operation(line.method.name, line.template)
      #expect(operation != nil || line.method == .get, "\(line.title)")
      var names: [JSONValue] = []
      if case .array(let parameters) = operation?["parameters"] {
        names = parameters.compactMap { Contract.resolved($0)?["name"] }
      }
      let answer = try AccessDoor(world)
        .ask(line, as: .owner, world.inside, ["If-Match": "\"999999999\""]).answer
      let isTaken = names.contains("If-Match")
      #expect(
        answer.status == (isTaken ? 412 : 400), "\(line.title): \(answer.status)")
      #expect(isTaken || answer.code == "malformed_header", "\(line.title)")
      #expect((operation?["responses"]?["412"] != nil) == isTaken, "\(line.title)")
    }
  }
}

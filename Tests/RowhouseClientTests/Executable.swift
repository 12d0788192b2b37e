import Foundation
import RowhouseTesting

/// The program under test, as the build has left it beside the tests.
let executable: URL = {
  let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
  return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("rowhouse")
}()

func makeServer(_ arguments: String...) throws -> RowhouseTestServer {
  try RowhouseTestServer(executable: executable, arguments: arguments)
}

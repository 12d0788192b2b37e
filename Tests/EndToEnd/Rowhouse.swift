import Foundation
import Support

/// The program under test, as the build has left it beside the tests.
enum Rowhouse {
  /// What one call of it did.
  struct Result: Sendable {
    let ending: ChildProcess.Ending
    let output: String
    let errors: String
  }

  static let executable: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    var folder = URL(fileURLWithPath: tests)
    // The tests are a file in the products' folder, or lie deeper in a bundle there.
    while folder.path.count > 1 {
      folder.deleteLastPathComponent()
      let candidate = folder.appendingPathComponent("rowhouse").path
      if isProgram(candidate) { return candidate }
    }
    return sourceFolder + "/.build/debug/rowhouse"
  }()

  /// Where Package.swift is.
  static let sourceFolder: String = {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    return folder.path
  }()

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }

  /// Runs a command to its end.
  static func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Result {
    try run(executable, arguments, environment: environment)
  }

  static func run(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Result {
    let process = try ChildProcess(executable, arguments, environment: environment)
    let ending = try process.waitForEnd()
    return Result(ending: ending, output: process.output, errors: process.errors)
  }
}

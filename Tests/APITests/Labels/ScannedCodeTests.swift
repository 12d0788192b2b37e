import Foundation
import Support
import Testing

@testable import API

/// Reads codes with a program that others have written: zbarimg. `scripts/test` installs it.
@Suite struct `Another program` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: 1...15)
  func `reads codes of each version`(version: Int) throws {
    let capacity = QRData.capacity(of: version) - (version < 10 ? 2 : 3)
    let address = "https://things.example/i/"
    try expectReadable(
      String((address + String(repeating: "0a-", count: capacity)).prefix(capacity)))
  }

  @Test(arguments: ["HELLO WORLD", "HTTPS://THINGS.EXAMPLE/$%*+-.:", "A", "A1", "lower case", "ä€"])
  func `reads texts in both modes`(text: String) throws { try expectReadable(text) }

  private func expectReadable(_ text: String, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let code = try #require(QRCode(text))
    let (drawing, picture) = (folder.file("code.svg"), folder.file("code.png"))
    try code.svg.write(toFile: drawing, atomically: true, encoding: .utf8)
    _ = try output(of: "rsvg-convert", ["--zoom", "4", "--output", picture, drawing])
    let read = try output(of: "zbarimg", ["--raw", "--quiet", "-Sbinary", picture])
    #expect(read.trimmingCharacters(in: .newlines) == text, sourceLocation: sourceLocation)
  }

  private func output(of program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    // It complains of a missing bus on machines without a desktop.
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(
      process.terminationStatus != 127,
      "Install \(program) with: scripts/prerequisites zbar-tools librsvg2-bin")
    try #require(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self)
  }
}

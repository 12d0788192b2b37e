import Foundation
import Testing

@Suite("No target imports what it must not know")
struct ArchitectureTests {
  /// What each folder of Sources may import, of the package's targets and of the system.
  static let arrows: [(target: String, imports: Set<String>)] = [
    ("SQL", ["CSQLite", "CPostgreSQL"]),
    ("JSON", []),
    ("HTTP", []),
    ("Threads", ["CLinux"]),
    ("Inventory", ["FoundationEssentials"]),
    ("Storage", ["Inventory", "SQL", "Threads", "FoundationEssentials"]),
    ("Server", ["HTTP", "Threads", "CLinux"]),
    ("Navigation", ["Inventory"]),
    ("WebApp", []),
    (
      "API",
      ["HTTP", "JSON", "Inventory", "Navigation", "Threads", "WebApp", "FoundationEssentials"]
    ),
    (
      "RowhouseClient",
      ["Foundation", "FoundationNetworking", "ImageIO", "Observation", "CSQLite", "SQLite3"]
    ),
    ("RowhouseTesting", ["RowhouseClient", "Foundation"]),
    (
      "rowhouse",
      ["API", "Server", "Storage", "HTTP", "Inventory", "FoundationEssentials", "Dispatch"]
    ),
  ]

  /// The language's own modules, which every target may use.
  private static let language: Set<String> = ["Synchronization"]
  private static let systemUsers: Set<String> = [
    "SQL", "Threads", "Storage", "Server", "API", "rowhouse",
  ]

  @Test(arguments: arrows)
  func `the sources keep to the arrows`(target: String, imports: Set<String>) throws {
    var allowed = imports.union(Self.language)
    if Self.systemUsers.contains(target) { allowed.insert("Glibc") }
    for file in try sources(of: target) {
      let strangers = try importedModules(in: file).subtracting(allowed)
      #expect(strangers.isEmpty, "\(file) imports \(strangers.sorted())")
    }
  }

  @Test func `every folder of Sources has its arrows stated`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Rowhouse.sourceFolder + "/Sources")
    let systemLibraries = ["CSQLite", "CPostgreSQL", "CLinux"]
    let buildTools = ["EmbedFiles", "FileEmbedder"]
    #expect(
      folders.sorted() == (Self.arrows.map(\.target) + systemLibraries + buildTools).sorted())
  }

  @Test func `no arrow points back`() {
    var known: Set<String> = [
      "CSQLite", "SQLite3", "CPostgreSQL", "CLinux", "FoundationEssentials", "Foundation",
      "FoundationNetworking",
      "ImageIO", "Observation", "Dispatch",
    ]
    for (target, imports) in Self.arrows {
      #expect(imports.isSubset(of: known), "\(target) comes before what it imports")
      known.insert(target)
    }
  }

  @Test func `SQL is only in Storage and below, and in the client's offline store`() throws {
    for (target, _) in Self.arrows where !["Storage", "SQL"].contains(target) {
      for file in try sources(of: target) where !file.hasSuffix("/Offline/OfflineDatabase.swift") {
        #expect(
          try importedModules(in: file).isDisjoint(with: [
            "SQL", "CSQLite", "CPostgreSQL", "SQLite3",
          ]),
          "\(file)")
      }
    }
  }

  private func sources(of target: String) throws -> [String] {
    let folder = Rowhouse.sourceFolder + "/Sources/" + target
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".swift") }.map { folder + "/" + $0 }
    try #require(!files.isEmpty)
    return files
  }

  /// The modules named in a file's import lines, of `import struct A.B` the module `A`.
  private func importedModules(in file: String) throws -> Set<String> {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]
    let modifiers: Set<Substring> = [
      "package", "public", "internal", "fileprivate", "private", "@preconcurrency", "@testable",
      "@_exported", "@_implementationOnly",
    ]
    var modules: Set<String> = []
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
      var words = line.split(separator: " ")[...]
      while let word = words.first, modifiers.contains(word) { words.removeFirst() }
      guard words.popFirst() == "import" else { continue }
      if let word = words.first, kinds.contains(word) { words.removeFirst() }
      if let module = words.first?.split(separator: ".").first { modules.insert(String(module)) }
    }
    return modules
  }
}

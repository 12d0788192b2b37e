// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]

/// A library target of this package; arrows between targets are stated here and nowhere else.
func layer(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "rowhouse",
  products: [.executable(name: "rowhouse", targets: ["rowhouse"])],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLinux"),
    layer("SQLite", ["CSQLite"]),
    layer("JSON"),
    layer("HTTP"),
    layer("Inventory"),
    layer("Storage", ["Inventory", "SQLite"], resources: [.embedInCode("migrations")]),
    layer("Server", ["HTTP", "CLinux"]),
    layer("API", ["HTTP", "JSON", "Inventory"]),
    .executableTarget(
      name: "rowhouse", dependencies: ["API", "Server", "Storage", "HTTP", "Inventory"],
      swiftSettings: strict),

    .target(
      name: "Support", dependencies: ["Inventory"], path: "Tests/Support",
      swiftSettings: strict),
    tests("SQLiteTests", ["SQLite"]),
    tests("JSONTests", ["JSON"]),
    tests("HTTPTests", ["HTTP", "Support"]),
    tests("InventoryTests", ["Inventory", "Support"]),
    tests("StorageTests", ["Storage", "SQLite", "Inventory", "Support"]),
    tests("ServerTests", ["Server", "HTTP", "Support"]),
    tests("APITests", ["API", "HTTP", "JSON", "Inventory", "Support"]),
    tests("EndToEnd", ["JSON", "Support"]),
  ]
)

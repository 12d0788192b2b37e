// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]

/// Leaves run-time checks of exclusive access to debug builds, in which all tests run. They took a fifth of the
/// instructions of a small request: https://www.swift.org/blog/swift-5-exclusivity/
///
/// Debug builds keep all checks, but are optimized. Compiling takes longer, and the tests take half as long: they had spent
/// half their time in generic code of the standard library, which only an optimized build specializes.
let fast: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
  .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)),
]

/// A library target of the server. The dependencies state which target may import which; `ArchitectureTests` checks the
/// imports.
func layer(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [],
  embedsFiles: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: embedsFiles ? ["Files"] : [],
    resources: resources, swiftSettings: strict + fast + instrumented,
    plugins: embedsFiles ? ["EmbedFiles"] : [])
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// Whether to build the fuzzers. Only they need libFuzzer, and the targets that they test are instrumented.
let isFuzzing = Context.environment["ROWHOUSE_FUZZ"] != nil
let instrumented: [SwiftSetting] = isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : []

/// An executable that feeds a property with inputs from libFuzzer.
func fuzzer(_ name: String, _ folder: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["FuzzDriver", "FuzzProperties"], path: "Tests/Fuzz/\(folder)",
    swiftSettings: strict + instrumented,
    linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])])
}

let fuzzers = [
  .target(name: "FuzzDriver", path: "Tests/Fuzz/Driver", swiftSettings: strict),
  fuzzer("fuzz-requests", "Requests"), fuzzer("fuzz-chunks", "Chunks"),
  fuzzer("fuzz-json", "JSONTexts"),
]

let package = Package(
  name: "rowhouse",
  // The Apple systems that the client needs. The server runs on Linux.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "rowhouse", targets: ["rowhouse"]),
    .library(name: "RowhouseClient", targets: ["RowhouseClient"]),
    .library(name: "RowhouseTesting", targets: ["RowhouseTesting"]),
  ],
  traits: [
    .trait(
      name: "PostgreSQL",
      description: "Stores can also be on a PostgreSQL server. Needs libpq.")
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLinux"),
    // Without pkgConfig, because the package manager would look for libpq in builds without the trait too.
    .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    layer("SQL", ["CSQLite", "CPostgreSQL"]),
    layer("JSON"),
    layer("HTTP"),
    layer("Threads", ["CLinux"]),
    layer("Inventory"),
    layer("Storage", ["Inventory", "SQL", "Threads"], resources: [.embedInCode("migrations")]),
    layer("Server", ["HTTP", "Threads", "CLinux"]),
    layer("Navigation", ["Inventory"]),
    layer("WebApp", embedsFiles: true),
    layer(
      "API", ["HTTP", "JSON", "Inventory", "Navigation", "Threads", "WebApp"], embedsFiles: true),
    .executableTarget(
      name: "rowhouse", dependencies: ["API", "Server", "Storage", "HTTP", "Inventory"],
      swiftSettings: strict + fast),

    // Packages with unsafe flags cannot be dependencies of others, so these have none. For the same reason the client
    // does not use the target SQLite, but the C library. Apple's systems have it as the module SQLite3.
    .target(
      name: "RowhouseClient",
      dependencies: [.target(name: "CSQLite", condition: .when(platforms: [.linux]))],
      swiftSettings: strict),
    .target(name: "RowhouseTesting", dependencies: ["RowhouseClient"], swiftSettings: strict),

    .plugin(
      name: "EmbedFiles", capability: .buildTool(), dependencies: ["file-embedder"],
      path: "Sources/EmbedFiles"),
    .executableTarget(
      name: "file-embedder", path: "Sources/FileEmbedder", swiftSettings: strict),

    .target(
      name: "Support", dependencies: ["Inventory", "JSON"], path: "Tests/Support",
      exclude: ["Images"],
      swiftSettings: strict + fast),
    .target(
      name: "FuzzProperties", dependencies: ["HTTP", "JSON"], path: "Tests/Fuzz/Properties",
      swiftSettings: strict + instrumented),
    tests("SQLTests", ["SQL"]),
    tests("JSONTests", ["JSON", "Support"]),
    tests("HTTPTests", ["HTTP", "FuzzProperties", "Support"]),
    tests("InventoryTests", ["Inventory", "Support"]),
    tests("NavigationTests", ["Navigation", "Inventory", "Support"]),
    tests(
      "StorageTests", ["Storage", "SQL", "Inventory", "Support"], exclude: ["Fixtures"]),
    tests("ServerTests", ["Server", "HTTP", "Support"]),
    tests(
      "APITests",
      ["API", "HTTP", "JSON", "Inventory", "Navigation", "WebApp", "Storage", "Support"],
      exclude: ["Access/access-table.txt"]),
    .target(
      name: "InProcessServer", dependencies: ["API", "HTTP", "Inventory", "Storage"],
      path: "Tests/InProcessServer", swiftSettings: strict),
    tests(
      "RowhouseClientTests", ["RowhouseClient", "RowhouseTesting", "InProcessServer", "Support"]),
    // The tests that preload these files compile them themselves.
    tests(
      "EndToEnd", ["JSON", "SQL", "Support"],
      exclude: ["Faults/faulty-disk.c", "Faults/set-clock.c"]),
  ] + (isFuzzing ? fuzzers : [])
)

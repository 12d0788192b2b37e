// swift-tools-version: 6.2
import PackageDescription

// If you copy this folder, change only the path.
let package = Package(
  name: "swift-client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "rowhouse", path: "../../..")],
  targets: [
    .executableTarget(
      name: "swift-client",
      dependencies: [.product(name: "RowhouseClient", package: "rowhouse")], path: "Sources")
  ]
)

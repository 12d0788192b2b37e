// swift-tools-version: 6.2
import PackageDescription

// Copied elsewhere, only the path has to be another.
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

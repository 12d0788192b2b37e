import FoundationEssentials

/// Environment variables that begin with `ROWHOUSE_` but set no option. They are probably misspelt.
enum StrangeVariables {
  /// One sentence about each of these variables, sorted by name.
  ///
  /// Leaves out variables of tests, and those that Kubernetes and Docker set for a service called rowhouse
  /// (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
  static var notes: [String] {
    let known = Set(CommandLineTool.subcommands.flatMap { $0.everyOption.map(\.environmentName) })
    return ProcessInfo.processInfo.environment.keys
      .filter { $0.hasPrefix("ROWHOUSE_") && !known.contains($0) && !isForeign($0) }.sorted()
      .map { "\($0) is set, but is not an option of rowhouse." }
  }

  private static func isForeign(_ name: String) -> Bool {
    ["ROWHOUSE_TEST_", "ROWHOUSE_DISK_", "ROWHOUSE_SERVICE_", "ROWHOUSE_PORT_"]
      .contains { name.hasPrefix($0) } || name == "ROWHOUSE_PORT"
  }
}

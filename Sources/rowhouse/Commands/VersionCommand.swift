/// The version of this build.
enum Version {
  static let number = "1.0.0"
  /// The date of the version, for the manual.
  static let date = "2026-11-23"
  #if DEBUG
    static let build = "debug"
  #else
    static let build = "release"
  #endif
}

enum VersionCommand: Subcommand {
  static let name = "version"
  static let summary = "Print the version."
  static let options: [Option] = []

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    Terminal.say("rowhouse \(Version.number) (\(Version.build))")
    return .success
  }
}

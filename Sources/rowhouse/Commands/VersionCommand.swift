/// What this build is.
enum Version {
  static let number = "0.1.0"
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

import Storage

enum ConfigCommand: Subcommand {
  static let name = "config"
  static let summary = "Print the settings of serve, and where each comes from."
  static let options =
    ServeOptions.all + [
      Option(
        "sample", .onOff, "Print a sample settings file instead, with every line commented out.")
    ]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    if options.isOn("sample") {
      Terminal.say(sample)
      return .success
    }
    _ = try ServeOptions(options)
    let rows = ServeOptions.all.map { option in
      [
        option.name, value(of: option, options),
        options.source(option.name).description(for: option),
      ]
    }
    Terminal.say(Help.columns(rows))
    for note in StrangeVariables.notes { Terminal.note(note) }
    return .success
  }

  /// Logs the settings in force, and variables that may be misspelt options.
  static func tell(of options: Options, _ log: Log) {
    for option in ServeOptions.all {
      let source = options.source(option.name).description(for: option)
      log.tell(.debug, "\(option.name) = \(value(of: option, options)) (\(source))")
    }
    for note in StrangeVariables.notes { log.tell(.warning, note) }
  }

  private static func value(of option: Option, _ options: Options) -> String {
    if case .onOff = option.form { return options.isOn(option.name) ? "yes" : "no" }
    let values = options.list(option.name)
    // The address of a database may hold a password.
    if option.name == Option.database.name { return values.map(Database.name).joined() }
    if !values.isEmpty { return values.joined(separator: ",") }
    if case .described(let text) = option.standard { return "(\(text))" }
    return "-"
  }

  /// Every setting with its help and its default, as comments.
  private static var sample: String {
    let head = """
      # Settings of rowhouse serve, for --config FILE or ROWHOUSE_CONFIG. A line is: name = value
      # The value after each name is the default. The environment and the command line override this
      # file. Relative paths start at the folder in which the server is started.
      """
    let parts = ServeOptions.all.map { option in
      let value =
        switch option.standard {
        case .value(let text): text
        case .found(let text, _), .described(let text): "(\(text))"
        case .nothing: option.form.placeholder == nil ? "no" : ""
        }
      return "# \(Help.sentences(option))\n# \(option.name) = \(value)"
    }
    return ([head] + parts).joined(separator: "\n\n")
  }
}

/// The outcomes of a batch of commands.
public struct SyncAnswer: Decodable, Sendable {
  /// The inventory's revision after the commands.
  public var revision: Int
  /// In the order of the commands. If there are fewer, send the commands behind them again.
  public var outcomes: [SyncOutcome]
  /// The reason why the server could not do the next command. Nil if all were done, or if the answer was full.
  public var problem: Problem?
}

/// What became of a command.
public struct SyncOutcome: Codable, Sendable, Hashable {
  public var sequence: Int
  public var outcome: Kind
  /// The revision of the change; nil if nothing had to be changed.
  public var revision: Int?
  /// The path that undoes the change.
  public var undo: String?
  /// JSON Pointers to members of the command's `from` that others have changed and the command has not.
  public var kept: [String]?
  /// The values of others that the command has replaced.
  public var overwritten: [String: JSONValue]?
  /// The alternative of the command's position that was used, if not the first one.
  public var position: Position?
  /// The reason of a refusal. Its pointers begin at the command.
  public var problem: Problem?

  /// A kind of outcome.
  public struct Kind: RawRepresentable, Codable, Sendable, Hashable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The command was done as given, or everything was as wanted.
    public static let done = Self(rawValue: "done")
    /// It was done. Others have changed something else meanwhile: ``SyncOutcome/kept`` or ``SyncOutcome/position``.
    public static let merged = Self(rawValue: "merged")
    /// It was done, and has replaced ``SyncOutcome/overwritten``.
    public static let overwrote = Self(rawValue: "overwrote")
    /// It was not done, and the server will not try it again. Tell the person what it contained.
    public static let refused = Self(rawValue: "refused")
    /// It was done or refused before, and the outcome is lost.
    public static let repeated = Self(rawValue: "repeated")
  }
}

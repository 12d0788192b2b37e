import Foundation

/// A refusal as the server puts it (RFC 9457), with what its kind has besides.
public struct Problem: Codable, Sendable, Hashable {
  /// The path on the server that explains this kind of problem to a person.
  public var type: String
  /// What went wrong, in the caller's language.
  public var title: String
  public var status: Int
  /// What went wrong this time.
  public var detail: String?
  /// The request's id, as the server's log has it.
  public var instance: String?
  public var code: Code
  /// What is wrong with the fields that were sent, all at once.
  public var errors: [FieldError]?
  /// What is wrong with the lines of an import or of a table, all at once.
  public var lines: [LineError]?
  /// What the list has done since the revision that was sent, so that a client can catch up.
  public var delta: Delta?
  /// The item as it is now, where an edit of it came too late.
  public var current: Item?
  /// Where the row stands now.
  public var index: Int?
  /// How many rows stand in the way.
  public var count: Int?
  /// The limit that was passed.
  public var limit: Int?
  /// The present revision.
  public var revision: Int?
  /// What was deleted, where something in the trash was named.
  public var trashID: Row.ID?
  /// What else this kind of problem tells, by name, as the server's `/problems` explains it: the
  /// `conflicts` of an undo, and of lines, a path's `candidates`, the rows that are `missing`, `unknown` or `duplicate`.
  public var members: [String: JSONValue]

  /// What is wrong with one field.
  public struct FieldError: Codable, Sendable, Hashable {
    /// Where in the body (RFC 6901), or nil.
    public var pointer: String?
    /// Which query parameter, or nil.
    public var parameter: String?
    public var detail: String
  }

  /// What is wrong with one line.
  public struct LineError: Codable, Sendable, Hashable {
    /// The first one is 1.
    public var line: Int
    /// Where in the line's JSON (RFC 6901), or nil.
    public var pointer: String?
    /// Which column of the table, or nil.
    public var column: String?
    public var detail: String
  }

  /// A kind of problem; those that an app may act on have names here.
  public struct Code: RawRepresentable, Codable, Sendable, Hashable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension Problem.Code {
  public static let unauthenticated = Self(rawValue: "unauthenticated")
  public static let roleForbids = Self(rawValue: "role_forbids")
  public static let listForbids = Self(rawValue: "list_forbids")
  public static let notFound = Self(rawValue: "not_found")
  public static let inTrash = Self(rawValue: "in_trash")
  public static let idTaken = Self(rawValue: "id_taken")
  public static let invalid = Self(rawValue: "invalid")
  public static let invalidLines = Self(rawValue: "invalid_lines")
  public static let lineConflicts = Self(rawValue: "line_conflicts")
  public static let importRunning = Self(rawValue: "import_running")
  public static let preconditionFailed = Self(rawValue: "precondition_failed")
  public static let listMovedOn = Self(rawValue: "list_moved_on")
  public static let rowMoved = Self(rawValue: "row_moved")
  public static let anchorGone = Self(rawValue: "anchor_gone")
  public static let cycle = Self(rawValue: "cycle")
  public static let tooDeep = Self(rawValue: "too_deep")
  public static let notThePresentTabs = Self(rawValue: "not_the_present_tabs")
  public static let kindMismatch = Self(rawValue: "kind_mismatch")
  public static let listNotEmpty = Self(rawValue: "list_not_empty")
  public static let sentinelImmovable = Self(rawValue: "sentinel_immovable")
  public static let sentinelLast = Self(rawValue: "sentinel_last")
  public static let sentinelUndeletable = Self(rawValue: "sentinel_undeletable")
  public static let ambiguousPath = Self(rawValue: "path_ambiguous")
  public static let notThePresentRows = Self(rawValue: "not_the_present_rows")
  public static let undoConflict = Self(rawValue: "undo_conflict")
  public static let resync = Self(rawValue: "resync")
  public static let storageFull = Self(rawValue: "storage_full")
  public static let overloaded = Self(rawValue: "overloaded")
  public static let outcomeUnknown = Self(rawValue: "outcome_unknown")
}

import Foundation

/// A refusal by the server (RFC 9457), with the members of its kind.
public struct Problem: Codable, Sendable, Hashable {
  /// The path on the server with an explanation for people.
  public var type: String
  /// The kind of problem, in the caller's language.
  public var title: String
  public var status: Int
  /// The cause of this occurrence of the problem.
  public var detail: String?
  /// The request's id, as in the server's log.
  public var instance: String?
  public var code: Code
  /// The errors of members and query parameters, at most 100.
  public var errors: [FieldError]?
  /// The errors of all lines of an import or a table.
  public var lines: [LineError]?
  /// The list's changes since the revision that was sent, so that a client can catch up.
  public var delta: Delta?
  /// The present item, if an edit used an old revision.
  public var current: Item?
  /// The row's present index.
  public var index: Int?
  /// The number of rows that prevent the call.
  public var count: Int?
  /// The exceeded limit.
  public var limit: Int?
  /// The present revision.
  public var revision: Int?
  /// The deleted row, if the request names something in the trash.
  public var trashID: Row.ID?
  /// Other members of this kind of problem, by name; the server's `/problems` explains them. For example the
  /// `conflicts` of an undo or of lines, the `candidates` of a path, and rows that are `missing`, `unknown` or
  /// `duplicate`.
  public var members: [String: JSONValue]

  /// The error of one field.
  public struct FieldError: Codable, Sendable, Hashable {
    /// The place in the body (RFC 6901), or nil.
    public var pointer: String?
    /// The query parameter, or nil.
    public var parameter: String?
    public var detail: String
  }

  /// The error of one line.
  public struct LineError: Codable, Sendable, Hashable {
    /// The line, counted from 1.
    public var line: Int
    /// The place in the line's JSON (RFC 6901), or nil.
    public var pointer: String?
    /// The column of the table, or nil.
    public var column: String?
    public var detail: String
  }

  /// A kind of problem. Codes that an app may act on have names here.
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
  public static let malformedJSON = Self(rawValue: "malformed_json")
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
  public static let sequenceGap = Self(rawValue: "sequence_gap")
  public static let serverOpen = Self(rawValue: "server_open")
  public static let invitationInvalid = Self(rawValue: "invitation_invalid")
  public static let tooManySyncClients = Self(rawValue: "too_many_sync_clients")
  public static let undoConflict = Self(rawValue: "undo_conflict")
  public static let resync = Self(rawValue: "resync")
  public static let storageFull = Self(rawValue: "storage_full")
  public static let overloaded = Self(rawValue: "overloaded")
  public static let outcomeUnknown = Self(rawValue: "outcome_unknown")
}

extension Problem {
  private enum CodingKeys: String, CodingKey {
    case type, title, status, detail, instance, code, errors, lines, delta, current, index, count
    case limit, revision
    case trashID = "trashId"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    type = try container.decode(String.self, forKey: .type)
    title = try container.decode(String.self, forKey: .title)
    status = try container.decode(Int.self, forKey: .status)
    detail = try container.decodeIfPresent(String.self, forKey: .detail)
    instance = try container.decodeIfPresent(String.self, forKey: .instance)
    code = try container.decode(Code.self, forKey: .code)
    errors = try container.decodeIfPresent([FieldError].self, forKey: .errors)
    lines = try container.decodeIfPresent([LineError].self, forKey: .lines)
    delta = try container.decodeIfPresent(Delta.self, forKey: .delta)
    current = try container.decodeIfPresent(Item.self, forKey: .current)
    index = try container.decodeIfPresent(Int.self, forKey: .index)
    count = try container.decodeIfPresent(Int.self, forKey: .count)
    limit = try container.decodeIfPresent(Int.self, forKey: .limit)
    revision = try container.decodeIfPresent(Int.self, forKey: .revision)
    trashID = try container.decodeIfPresent(Row.ID.self, forKey: .trashID)
    members = try [String: JSONValue](from: decoder).filter {
      CodingKeys(stringValue: $0.key) == nil
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try members.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type, forKey: .type)
    try container.encode(title, forKey: .title)
    try container.encode(status, forKey: .status)
    try container.encodeIfPresent(detail, forKey: .detail)
    try container.encodeIfPresent(instance, forKey: .instance)
    try container.encode(code, forKey: .code)
    try container.encodeIfPresent(errors, forKey: .errors)
    try container.encodeIfPresent(lines, forKey: .lines)
    try container.encodeIfPresent(delta, forKey: .delta)
    try container.encodeIfPresent(current, forKey: .current)
    try container.encodeIfPresent(index, forKey: .index)
    try container.encodeIfPresent(count, forKey: .count)
    try container.encodeIfPresent(limit, forKey: .limit)
    try container.encodeIfPresent(revision, forKey: .revision)
    try container.encodeIfPresent(trashID, forKey: .trashID)
  }
}

/// Every kind of problem that the application reports. The raw value is its `code` and the last
/// segment of its `type`.
package enum ProblemCode: String, Sendable, CaseIterable {
  case malformedJSON = "malformed_json"
  case malformedQuery = "malformed_query"
  case malformedHeader = "malformed_header"
  case unauthenticated
  case hostForbidden = "host_forbidden"
  case originForbidden = "origin_forbidden"
  case listForbids = "list_forbids"
  case roleForbids = "role_forbids"
  case notFound = "not_found"
  case invitationInvalid = "invitation_invalid"
  case methodNotAllowed = "method_not_allowed"
  case ambiguousPath = "path_ambiguous"
  case anchorGone = "anchor_gone"
  case contentsList = "contents_list"
  case cycle
  case tooDeep = "too_deep"
  case idTaken = "id_taken"
  case importGone = "import_gone"
  case importRunning = "import_running"
  case idempotencyKeyReused = "idempotency_key_reused"
  case kindMismatch = "kind_mismatch"
  case listGone = "list_gone"
  case lineConflicts = "line_conflicts"
  case listMovedOn = "list_moved_on"
  case listNotEmpty = "list_not_empty"
  case notThePresentRows = "not_the_present_rows"
  case notThePresentPhotos = "not_the_present_photos"
  case notThePresentTabs = "not_the_present_tabs"
  case notUndoable = "not_undoable"
  case rootList = "root_list"
  case rowMoved = "row_moved"
  case sentinelImmovable = "sentinel_immovable"
  case sentinelLast = "sentinel_last"
  case sentinelUndeletable = "sentinel_undeletable"
  case sequenceGap = "sequence_gap"
  case serverOpen = "server_open"
  case stackFull = "stack_full"
  case tooManyNavigators = "too_many_navigators"
  case tooManySyncClients = "too_many_sync_clients"
  case undoConflict = "undo_conflict"
  case historyGone = "history_gone"
  case inTrash = "in_trash"
  case renditionTaken = "rendition_taken"
  case resync
  case preconditionFailed = "precondition_failed"
  case rangeNotSatisfiable = "range_not_satisfiable"
  case tooManyPhotos = "too_many_photos"
  case unsupportedImage = "unsupported_image"
  case unsupportedMediaType = "unsupported_media_type"
  case invalid
  case invalidLines = "invalid_lines"
  case tooManyRows = "too_many_rows"
  case preconditionRequired = "precondition_required"
  case internalError = "internal_error"
  case overloaded
  case tooManyStreams = "too_many_streams"
  case shuttingDown = "shutting_down"
  case deadlineExceeded = "deadline_exceeded"
  case outcomeUnknown = "outcome_unknown"
  case storageFull = "storage_full"

  /// The usual status of a response with this problem (RFC 9110 §15).
  package var status: Int {
    switch self {
    case .malformedJSON, .malformedQuery, .malformedHeader: 400
    case .unauthenticated: 401
    case .hostForbidden, .originForbidden, .listForbids, .roleForbids: 403
    case .notFound, .invitationInvalid: 404
    case .methodNotAllowed: 405
    case .ambiguousPath, .anchorGone, .contentsList, .cycle, .tooDeep, .idTaken, .importGone,
      .importRunning,
      .kindMismatch, .lineConflicts, .listGone, .listMovedOn, .listNotEmpty, .notThePresentRows,
      .notThePresentTabs, .notUndoable, .undoConflict, .rootList, .rowMoved, .sentinelImmovable,
      .sentinelLast,
      .sentinelUndeletable, .sequenceGap, .serverOpen, .stackFull, .tooManyNavigators,
      .tooManySyncClients,
      .notThePresentPhotos, .renditionTaken, .tooManyPhotos:
      409
    case .inTrash, .historyGone, .resync: 410
    case .preconditionFailed: 412
    case .unsupportedMediaType, .unsupportedImage: 415
    case .rangeNotSatisfiable: 416
    case .idempotencyKeyReused, .invalid, .invalidLines, .tooManyRows: 422
    case .preconditionRequired: 428
    case .internalError: 500
    case .overloaded, .tooManyStreams, .shuttingDown, .deadlineExceeded, .outcomeUnknown: 503
    case .storageFull: 507
    }
  }

  /// Seconds to wait before a retry. Nil if a retry is unlikely to help.
  var retryAfter: Int? {
    switch self {
    case .overloaded, .importRunning: 1
    case .tooManyStreams, .shuttingDown, .deadlineExceeded: 5
    default: nil
    }
  }
}

/// An error that the server itself finds in a request. The connection closes after the response, but may stay open
/// after `bodyTooLarge`, `bodyMemoryExhausted` and `unanswered`.
package enum RequestFault: String, Error, Sendable, CaseIterable {
  case malformedRequestLine = "malformed_request_line"
  case malformedTarget = "malformed_target"
  case ambiguousPath = "ambiguous_path"
  case unsupportedVersion = "unsupported_version"
  case methodTooLong = "method_too_long"
  case requestLineTooLong = "request_line_too_long"
  case malformedField = "malformed_field"
  case foldedField = "folded_field"
  case headerTooLarge = "header_too_large"
  case tooManyFields = "too_many_fields"
  case missingHost = "missing_host"
  case repeatedHost = "repeated_host"
  case malformedHost = "malformed_host"
  case malformedContentLength = "malformed_content_length"
  case conflictingFraming = "conflicting_framing"
  case malformedTransferEncoding = "malformed_transfer_encoding"
  case unsupportedTransferEncoding = "unsupported_transfer_encoding"
  case unknownExpectation = "unknown_expectation"
  case unsupportedMethod = "unsupported_method"
  case malformedChunk = "malformed_chunk"
  case malformedTrailer = "malformed_trailer"
  case tooManyEmptyLines = "too_many_empty_lines"
  case bodyTooLarge = "body_too_large"
  case headerTimeout = "header_timeout"
  case bodyTimeout = "body_timeout"
  case bodyMemoryExhausted = "body_memory_exhausted"
  case unanswered

  /// The response's status (RFC 9110 §15.5, §15.6).
  package var status: Int {
    switch self {
    case .malformedRequestLine, .malformedTarget, .ambiguousPath, .malformedField, .foldedField,
      .missingHost, .repeatedHost, .malformedHost, .malformedContentLength, .conflictingFraming,
      .malformedTransferEncoding, .malformedChunk, .malformedTrailer, .tooManyEmptyLines:
      400
    case .headerTimeout, .bodyTimeout: 408
    case .bodyTooLarge: 413
    case .requestLineTooLong: 414
    case .unknownExpectation: 417
    case .headerTooLarge, .tooManyFields: 431
    case .unanswered: 500
    case .methodTooLong, .unsupportedTransferEncoding, .unsupportedMethod: 501
    case .bodyMemoryExhausted: 503
    case .unsupportedVersion: 505
    }
  }

  /// A stable name for programs.
  package var code: String { rawValue }

  /// A sentence for people.
  package var detail: String {
    switch self {
    case .malformedRequestLine:
      "The request line must be a method, a target and a version, separated by single spaces."
    case .malformedTarget: "The request target is not valid for this method."
    case .ambiguousPath:
      "The path has a bad escape, an encoded slash or NUL, a dot segment or text that is not UTF-8."
    case .unsupportedVersion: "This server speaks only HTTP/1."
    case .methodTooLong: "The method is longer than any supported method."
    case .requestLineTooLong: "The request line is too long."
    case .malformedField:
      "A header field must be a name, a colon and a value without control characters."
    case .foldedField: "A header field is continued on another line."
    case .headerTooLarge: "The header section is too large."
    case .tooManyFields: "The header section has too many fields."
    case .missingHost: "The Host field is missing."
    case .repeatedHost: "The Host field is given more than once."
    case .malformedHost: "The host is not a name or an address with an optional port."
    case .malformedContentLength: "Content-Length must be one decimal number."
    case .bodyTooLarge: "The body is larger than this call accepts."
    case .conflictingFraming: "Send Content-Length or Transfer-Encoding, not both."
    case .malformedTransferEncoding: "Transfer-Encoding must end in chunked, once."
    case .unsupportedTransferEncoding: "This server supports only the transfer coding chunked."
    case .unknownExpectation: "This server supports only the expectation 100-continue."
    case .unsupportedMethod: "This server does not support this method."
    case .malformedChunk: "The chunked body is malformed."
    case .malformedTrailer: "The trailer section is malformed or too large."
    case .tooManyEmptyLines: "Too many empty lines precede the request."
    case .headerTimeout: "The header section did not arrive in time."
    case .bodyTimeout: "The body did not arrive in time."
    case .bodyMemoryExhausted: "Too many bodies are being received. Try again shortly."
    case .unanswered: "The request could not be answered."
    }
  }
}

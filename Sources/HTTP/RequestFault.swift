/// What the server itself finds wrong with a request; the connection closes after the answer.
package enum RequestFault: Error, Sendable, Hashable, CaseIterable {
  case malformedRequestLine
  case malformedTarget
  case ambiguousPath
  case unsupportedVersion
  case methodTooLong
  case requestLineTooLong
  case malformedField
  case foldedField
  case headerTooLarge
  case tooManyFields
  case missingHost
  case repeatedHost
  case malformedHost
  case malformedContentLength
  case contentLengthTooLarge
  case conflictingFraming
  case malformedTransferEncoding
  case unsupportedTransferEncoding
  case unknownExpectation
  case unsupportedMethod
  case malformedChunk
  case malformedTrailer
  case tooManyEmptyLines
  case bodyTooLarge
  case headerTimeout
  case bodyTimeout
  case bodyMemoryExhausted
  case unanswered

  /// The status of the answer (RFC 9110 §15.5, §15.6).
  package var status: Int {
    switch self {
    case .malformedRequestLine, .malformedTarget, .ambiguousPath, .malformedField, .foldedField,
      .missingHost, .repeatedHost, .malformedHost, .malformedContentLength, .conflictingFraming,
      .malformedTransferEncoding, .malformedChunk, .malformedTrailer, .tooManyEmptyLines:
      400
    case .headerTimeout, .bodyTimeout: 408
    case .contentLengthTooLarge, .bodyTooLarge: 413
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
  package var code: String {
    switch self {
    case .malformedRequestLine: "malformed_request_line"
    case .malformedTarget: "malformed_target"
    case .ambiguousPath: "ambiguous_path"
    case .unsupportedVersion: "unsupported_version"
    case .methodTooLong: "method_too_long"
    case .requestLineTooLong: "request_line_too_long"
    case .malformedField: "malformed_field"
    case .foldedField: "folded_field"
    case .headerTooLarge: "header_too_large"
    case .tooManyFields: "too_many_fields"
    case .missingHost: "missing_host"
    case .repeatedHost: "repeated_host"
    case .malformedHost: "malformed_host"
    case .malformedContentLength: "malformed_content_length"
    case .contentLengthTooLarge, .bodyTooLarge: "body_too_large"
    case .conflictingFraming: "conflicting_framing"
    case .malformedTransferEncoding: "malformed_transfer_encoding"
    case .unsupportedTransferEncoding: "unsupported_transfer_encoding"
    case .unknownExpectation: "unknown_expectation"
    case .unsupportedMethod: "unsupported_method"
    case .malformedChunk: "malformed_chunk"
    case .malformedTrailer: "malformed_trailer"
    case .tooManyEmptyLines: "too_many_empty_lines"
    case .headerTimeout: "header_timeout"
    case .bodyTimeout: "body_timeout"
    case .bodyMemoryExhausted: "body_memory_exhausted"
    case .unanswered: "unanswered"
    }
  }

  /// A sentence for a person.
  package var detail: String {
    switch self {
    case .malformedRequestLine:
      "The request line is not a method, a target and a version between single spaces."
    case .malformedTarget: "The request target is not a valid one for this method."
    case .ambiguousPath:
      "The path has a bad escape, an encoded slash or NUL, a dot segment or text that is not UTF-8."
    case .unsupportedVersion: "Only HTTP/1.0 and HTTP/1.1 are spoken here."
    case .methodTooLong: "The method is longer than any that is known here."
    case .requestLineTooLong: "The request line is too long."
    case .malformedField:
      "A header field is not a token, a colon and a value without control bytes."
    case .foldedField: "A header field is continued on another line."
    case .headerTooLarge: "The header section is too large."
    case .tooManyFields: "The header section has too many fields."
    case .missingHost: "The Host field is missing."
    case .repeatedHost: "The Host field is there more than once."
    case .malformedHost: "The host is not a name or an address with an optional port."
    case .malformedContentLength: "Content-Length is not one decimal number."
    case .contentLengthTooLarge, .bodyTooLarge: "The body is larger than is accepted here."
    case .conflictingFraming: "Content-Length and Transfer-Encoding don't go together."
    case .malformedTransferEncoding: "Transfer-Encoding does not end in a single chunked."
    case .unsupportedTransferEncoding: "The only transfer coding known here is chunked."
    case .unknownExpectation: "The only expectation known here is 100-continue."
    case .unsupportedMethod: "This method is not implemented here."
    case .malformedChunk: "The chunked body is malformed."
    case .malformedTrailer: "The trailer section is malformed or too large."
    case .tooManyEmptyLines: "Too many empty lines stand before the request."
    case .headerTimeout: "The header section did not arrive in time."
    case .bodyTimeout: "The body did not arrive in time."
    case .bodyMemoryExhausted: "Too many bodies are being received; try again shortly."
    case .unanswered: "The request could not be answered."
    }
  }
}

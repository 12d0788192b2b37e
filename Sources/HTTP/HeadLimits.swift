/// Limits of a request's head and of a chunked body's framing.
package struct HeadLimits: Sendable {
  /// Bytes of the request line with its CRLF. Beyond it the server answers 414.
  package var requestLine: Int
  /// Bytes of the header section, or of the trailer section, with the last CRLF. Beyond it: 431 for a head.
  package var headerSection: Int
  /// Lines of the header section. Beyond it the server answers 431.
  package var fieldCount: Int

  package init(
    requestLine: Int = 8 << 10, headerSection: Int = 32 << 10, fieldCount: Int = 100
  ) {
    self.requestLine = requestLine
    self.headerSection = headerSection
    self.fieldCount = fieldCount
  }
}

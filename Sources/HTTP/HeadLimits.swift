/// How much a request's head, and what surrounds the data of a chunked body, may take.
package struct HeadLimits: Sendable {
  /// Bytes of the request line with its CRLF; more is 414.
  package var requestLine: Int
  /// Bytes of the header section with its last CRLF; more is 431. The same for the trailer section.
  package var headerSection: Int
  /// Lines of the header section; more is 431.
  package var fieldCount: Int

  package init(
    requestLine: Int = 8 << 10, headerSection: Int = 32 << 10, fieldCount: Int = 100
  ) {
    self.requestLine = requestLine
    self.headerSection = headerSection
    self.fieldCount = fieldCount
  }
}

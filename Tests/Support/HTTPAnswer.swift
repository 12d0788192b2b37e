import JSON

/// A response as a client reads it.
package struct HTTPAnswer: Sendable {
  package var status: Int
  package var fields: [(name: String, value: String)] = []
  package var body: [UInt8] = []

  package init(status: Int) { self.status = status }

  /// The first field of this name, in any letter case.
  package subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  package func json() throws(JSONSyntaxError) -> JSONValue { try JSONReader.parse(body) }
}

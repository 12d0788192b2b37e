/// One field of a request that breaks a rule.
package struct Violation: Sendable, Hashable {
  /// The way to the field from the top of the resource: `["car", "year"]`.
  package let path: [String]
  /// One sentence for a person.
  package let detail: String

  package init(_ path: [String], _ detail: String) {
    self.path = path
    self.detail = detail
  }
}

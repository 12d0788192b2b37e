import Foundation

/// Something that did not happen in time.
package struct Overdue: Error, CustomStringConvertible {
  package let description: String

  package init(_ what: String) { description = "This took too long: \(what)." }
}

/// Asks every few milliseconds until there is an answer.
///
/// - Throws: `Overdue` after so many seconds.
package func poll<Value>(
  _ what: String, seconds: Double = 600, _ look: () throws -> Value?
) throws -> Value {
  let end = ContinuousClock.now + .seconds(seconds)
  while true {
    if let value = try look() { return value }
    guard ContinuousClock.now < end else { throw Overdue(what) }
    usleep(2_000)
  }
}

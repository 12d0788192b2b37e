/// The versions of HTTP that are spoken here; any other is refused with 505.
package enum Version: Sendable, Hashable {
  case http10, http11
}

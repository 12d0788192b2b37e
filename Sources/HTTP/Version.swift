/// The supported HTTP versions. The server refuses others with 505.
package enum Version: Sendable, Hashable {
  case http10, http11
}

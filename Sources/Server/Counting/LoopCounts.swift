import HTTP

/// The counts of one loop. Only its own thread changes them, so they need no lock. Others ask for a copy.
package struct LoopCounts: Sendable {
  /// The requests of one route, method and status.
  package struct Requests: Sendable {
    /// Nil if no route matched, or there was no response.
    package let route: StaticString?
    /// Nil if the request was too malformed; "other" for all unknown methods.
    package let method: String?
    /// Nil if the client left before the response.
    package let status: Int?
    /// From the first byte to the writing of the response, or to the end of a stream.
    package fileprivate(set) var durations = DurationHistogram()
  }

  private struct Key: Hashable {
    /// The address of the route's text, which is a constant of the program.
    let route: UInt
    let method: Method?
    let status: Int?
  }

  package private(set) var requests: [Requests] = []
  private var places: [Key: Int] = [:]
  private var latest: (key: Key, place: Int)?
  /// Refusals because of limits, by the code of the response.
  package internal(set) var refusals: [String: Int] = [:]
  package internal(set) var bytesReceived = 0
  package internal(set) var bytesSent = 0
  package internal(set) var connections = 0
  /// Connections closed at once because there was no descriptor for them.
  package internal(set) var turnedAway = 0
  /// Connections closed because their clients did not read.
  package internal(set) var slowReaders = 0

  /// The index in `requests` of a kind of request.
  mutating func place(route: StaticString?, method: Method?, status: Int?) -> Int {
    let method: Method? = if case .other? = method { .other("other") } else { method }
    let key = Key(
      route: route.map { UInt(bitPattern: $0.utf8Start) } ?? 0, method: method, status: status)
    if let latest, latest.key == key { return latest.place }
    let place: Int
    if let known = places[key] {
      place = known
    } else {
      place = requests.count
      places[key] = place
      requests.append(Requests(route: route, method: method?.name, status: status))
    }
    latest = (key, place)
    return place
  }

  mutating func count(_ place: Int, microseconds: Int64) {
    requests[place].durations.add(microseconds)
  }
}

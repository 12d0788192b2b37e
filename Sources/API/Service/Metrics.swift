import HTTP
import Inventory

/// A metric with its samples.
package struct MetricFamily: Sendable {
  package enum Kind: String, Sendable { case counter, gauge, histogram }

  package enum Value: Sendable {
    case whole(Int)
    case fraction(Double)
  }

  package struct Sample: Sendable {
    /// The text after the family's name, for a histogram: `_bucket`, `_sum` or `_count`.
    let suffix: StaticString
    let labels: [(name: String, value: String)]
    let value: Value
  }

  package let name: String
  package let help: String
  package let kind: Kind
  package private(set) var samples: [Sample] = []

  package init(_ kind: Kind, _ name: String, _ help: String) {
    self.kind = kind
    self.name = name
    self.help = help
  }

  /// A family with one value without labels.
  package init(_ kind: Kind, _ name: String, _ help: String, _ value: Value) {
    self.init(kind, name, help)
    add(value)
  }

  package mutating func add(_ value: Value, _ labels: [(name: String, value: String)] = []) {
    samples.append(Sample(suffix: "", labels: labels, value: value))
  }

  /// Adds a histogram. `buckets` has the number of values in each bucket, not cumulated. It has one element more than
  /// `bounds`, for the bucket without an upper bound.
  package mutating func add(
    buckets: [Int], upTo bounds: [Double], sum: Double,
    _ labels: [(name: String, value: String)] = []
  ) {
    var count = 0
    for (place, bucket) in buckets.enumerated() {
      count += bucket
      let bound = place < bounds.count ? MetricsText.number(bounds[place]) : "+Inf"
      samples.append(
        Sample(suffix: "_bucket", labels: labels + [("le", bound)], value: .whole(count)))
    }
    samples.append(Sample(suffix: "_sum", labels: labels, value: .fraction(sum)))
    samples.append(Sample(suffix: "_count", labels: labels, value: .whole(count)))
  }
}

/// The source of the server's metrics for `/metrics`.
package protocol MetricsSource: Sendable {
  /// Measures and calls `completion` once, from any thread.
  func measure(_ completion: @escaping @Sendable ([MetricFamily]) -> Void)
}

/// The text format of Prometheus, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
enum MetricsText {
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  static func encode(_ families: [MetricFamily]) -> [UInt8] {
    var text = ""
    for family in families where !family.samples.isEmpty {
      text += "# HELP \(family.name) \(escaped(family.help))\n"
      text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
      for sample in family.samples {
        text += "\(family.name)\(sample.suffix)"
        if !sample.labels.isEmpty {
          let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
          text += "{" + labels.joined(separator: ",") + "}"
        }
        switch sample.value {
        case .whole(let number): text += " \(number)\n"
        case .fraction(let number): text += " \(Self.number(number))\n"
        }
      }
    }
    return Array(text.utf8)
  }

  /// The number as text, without a fraction if it is whole.
  static func number(_ value: Double) -> String {
    Int(exactly: value).map { String($0) } ?? "\(value)"
  }

  private static func escaped(_ text: String, quotes: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension APIHandler {
  /// `GET /metrics`: needs an administrator's token, or a local client on a server that needs none.
  func metrics(_ request: RequestContext) throws(Problem) -> Reply {
    guard request.caller.role >= .admin else {
      throw Problem(InventoryError.roleForbids(needed: .admin))
    }
    guard request.caller.token != nil || request.head.peer?.isOfThisMachine != false else {
      throw Problem(
        .roleForbids, "From another machine, metrics need an administrator's token.")
    }
    try request.refuseParameters()
    guard let source = configuration.metrics else { return .now(request.metrics([])) }
    let streams = streamMetrics
    source.measure { families in
      request.send(request.metrics(families + streams))
    }
    return .later
  }

  private var streamMetrics: [MetricFamily] {
    let streams = configuration.eventStreams
    return [
      MetricFamily(
        .gauge, "rowhouse_event_streams", "Open event streams.", .whole(streams.open)),
      MetricFamily(
        .counter, "rowhouse_event_streams_opened_total", "Opened event streams.",
        .whole(streams.opened)),
      MetricFamily(
        .counter, "rowhouse_event_streams_dropped_total",
        "Event streams closed because their clients did not read.",
        .whole(streams.dropped)),
    ]
  }
}

extension RequestContext {
  fileprivate func metrics(_ families: [MetricFamily]) -> Response {
    context.text(MetricsText.mediaType, MetricsText.encode(families))
  }
}

extension Peer {
  /// Whether the client connected by a Unix socket or from a loopback address.
  fileprivate var isOfThisMachine: Bool {
    switch family {
    case .unix: true
    case .v4: high >> 56 == 127
    case .v6: high == 0 && low == 1
    }
  }
}

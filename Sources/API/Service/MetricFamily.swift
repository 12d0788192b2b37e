/// Measured values of one name.
package struct MetricFamily: Sendable {
  package enum Kind: String, Sendable { case counter, gauge, histogram }

  package enum Value: Sendable {
    case whole(Int)
    case fraction(Double)
  }

  package struct Sample: Sendable {
    /// What stands behind the family's name: `_bucket`, `_sum`, `_count` of a histogram.
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

  /// One value without labels.
  package init(_ kind: Kind, _ name: String, _ help: String, _ value: Value) {
    self.init(kind, name, help)
    add(value)
  }

  package mutating func add(_ value: Value, _ labels: [(name: String, value: String)] = []) {
    samples.append(Sample(suffix: "", labels: labels, value: value))
  }

  /// Adds a histogram: how many values are in each bucket (not in those before it), with the buckets' upper bounds, to
  /// which one more without a bound is added.
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

/// Where `/metrics` has its figures from.
package protocol MetricsSource: Sendable {
  /// Measures, and calls `completion` once, from any thread.
  func measure(_ completion: @escaping @Sendable ([MetricFamily]) -> Void)
}

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

  /// Whole numbers without a fraction.
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

/// A strict reader of Prometheus' text format, version 0.0.4.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricsText {
  struct Fault: Error {
    let line: Int
    let cause: String
  }

  struct Sample: Equatable {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  private struct Family {
    let name: String
    let kind: String
  }

  private(set) var samples: [Sample] = []
  /// Kinds by name.
  private(set) var kinds: [String: String] = [:]

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Fault(line: 0, cause: "the last line has no end") }
    var help: String?
    var family: Family?
    var seen: Set<String> = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .enumerated()
    {
      func demand(_ condition: Bool, _ cause: String) throws {
        if !condition { throw Fault(line: index + 1, cause: "\(cause): \(line)") }
      }
      if line.hasPrefix("# HELP ") {
        let words = line.dropFirst(7).split(separator: " ", maxSplits: 1)
        try demand(words.count == 2 && Self.isName(words[0], colon: true), "a bad HELP")
        try demand(kinds[String(words[0])] == nil, "a family that comes twice")
        help = String(words[0])
      } else if line.hasPrefix("# TYPE ") {
        let words = line.dropFirst(7).split(separator: " ").map(String.init)
        try demand(words.count == 2 && words[0] == help, "a TYPE that is not behind its HELP")
        try demand(["counter", "gauge", "histogram"].contains(words[1]), "an unknown type")
        try demand(
          (words[1] == "counter") == words[0].hasSuffix("_total"), "a counter's name ends in _total"
        )
        kinds[words[0]] = words[1]
        family = Family(name: words[0], kind: words[1])
      } else {
        let sample = try Self.sample(line, index + 1)
        try demand(family.map { Self.belongs(sample, to: $0) } == true, "not of this family")
        let key = sample.name + sample.labels.sorted { $0.key < $1.key }.description
        try demand(seen.insert(key).inserted, "a sample that comes twice")
        try demand(kinds[sample.name] != "counter" || sample.value >= 0, "a negative counter")
        samples.append(sample)
      }
    }
    try checkHistograms()
  }

  /// The value of the one sample with that name and those labels among its own.
  subscript(_ name: String, _ labels: [String: String]) -> Double? {
    let found = samples.filter { sample in
      sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
    }
    return found.count == 1 ? found[0].value : nil
  }

  subscript(_ name: String) -> Double? { self[name, [:]] }

  private static func belongs(_ sample: Sample, to family: Family) -> Bool {
    guard family.kind == "histogram" else { return sample.name == family.name }
    return switch sample.name {
    case family.name + "_bucket": sample.labels["le"] != nil
    case family.name + "_sum", family.name + "_count": sample.labels["le"] == nil
    default: false
    }
  }

  private static func isName(_ text: some StringProtocol, colon: Bool) -> Bool {
    guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95
        || (colon && $0 == 58)
    }
  }

  private static func sample(_ line: Substring, _ number: Int) throws -> Sample {
    func fault(_ cause: String) -> Fault { Fault(line: number, cause: "\(cause): \(line)") }
    let end = line.firstIndex { $0 == "{" || $0 == " " } ?? line.endIndex
    let name = line[..<end]
    guard isName(name, colon: true) else { throw fault("a bad name") }
    var rest = line[end...]
    var labels: [String: String] = [:]
    if rest.first == "{" {
      rest.removeFirst()
      while rest.first != "}" {
        if !labels.isEmpty {
          guard rest.popFirst() == "," else { throw fault("no comma") }
        }
        let label = rest.prefix { $0 != "=" }
        rest = rest[label.endIndex...].dropFirst()
        guard isName(label, colon: false), rest.popFirst() == "\"" else { throw fault("a label") }
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
          guard character == "\\" else {
            value.append(character)
            continue
          }
          switch rest.popFirst() {
          case "\\": value.append("\\")
          case "\"": value.append("\"")
          case "n": value.append("\n")
          default: throw fault("an escape")
          }
        }
        guard labels.updateValue(value, forKey: String(label)) == nil else { throw fault("twice") }
      }
      rest.removeFirst()
    }
    guard rest.popFirst() == " ", !rest.contains(" "), let value = Double(rest) else {
      throw fault("a value")
    }
    return Sample(name: String(name), labels: labels, value: value)
  }

  /// Buckets rise with their bounds, the last has none, and holds the count.
  private func checkHistograms() throws {
    for (name, kind) in kinds where kind == "histogram" {
      var groups: [[String: String]: [(bound: Double, count: Double)]] = [:]
      for sample in samples where sample.name == name + "_bucket" {
        var labels = sample.labels
        let text = labels.removeValue(forKey: "le") ?? ""
        guard let bound = text == "+Inf" ? .infinity : Double(text) else {
          throw Fault(line: 0, cause: "\(name): a bound \(text)")
        }
        groups[labels, default: []].append((bound, sample.value))
      }
      for (labels, buckets) in groups {
        let isRising = zip(buckets, buckets.dropFirst()).allSatisfy {
          $0.bound < $1.bound && $0.count <= $1.count
        }
        let count = samples.first { $0.name == name + "_count" && $0.labels == labels }
        let sum = samples.first { $0.name == name + "_sum" && $0.labels == labels }
        guard isRising, buckets.last?.bound == .infinity, count?.value == buckets.last?.count,
          let sum, sum.value >= 0
        else { throw Fault(line: 0, cause: "\(name)\(labels) is no histogram") }
      }
    }
  }
}

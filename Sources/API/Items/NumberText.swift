import JSON

/// Parses numbers as spreadsheets write them.
enum NumberText {
  struct Fault: Error {
    /// What is wrong, as a sentence for the user.
    let detail: String
  }

  /// The number multiplied by 10^places.
  ///
  /// - Parameters:
  ///   - text: the number, without spaces around it.
  ///   - separator: the separator of the table's cells. In tables with semicolons the decimal separator may be a comma.
  ///   - isGrouped: whether commas may separate thousands.
  static func parse(
    _ text: String, places: Int, _ separator: CSVReader.Separator, isGrouped: Bool
  ) throws(Fault) -> Int64 {
    var text = text
    // Where commas separate cells, a comma in a number separates thousands.
    if isAmbiguous(text), separator != .comma || text.contains(".") {
      throw Fault(
        detail:
          "It may be thousands or decimals. Write it without a separator, such as 1500, or with one or two decimals."
      )
    }
    if separator == .semicolon { text = withDecimalPoint(text) }
    if isGrouped { text = ungrouped(text) }
    let needsWhole = "Enter a whole number."
    guard let number = JSONNumber(text: text) else {
      throw Fault(detail: places == 0 ? needsWhole : "Enter a number, such as 12.50.")
    }
    do throws(JSONNumber.ScalingError) { return try number.exactly(places: places) } catch {
      switch error {
      case .tooManyPlaces:
        throw Fault(detail: places == 0 ? needsWhole : "Use at most two decimals.")
      case .outOfRange: throw Fault(detail: "The number is out of range.")
      }
    }
  }

  /// Whether one point or comma separates one to three digits from three, so that it may group thousands. After a zero it
  /// is decimal.
  private static func isAmbiguous(_ text: String) -> Bool {
    let parts = text.utf8.drop { $0 == UInt8(ascii: "-") }
      .split(omittingEmptySubsequences: false) {
        [UInt8(ascii: "."), UInt8(ascii: ",")].contains($0)
      }
    return parts.count == 2 && 1...3 ~= parts[0].count && parts[1].count == 3
      && parts[0].first != UInt8(ascii: "0")
      && parts.allSatisfy { $0.allSatisfy { 0x30...0x39 ~= $0 } }
  }

  /// Replaces a decimal comma by a point and removes points between thousands.
  private static func withDecimalPoint(_ text: String) -> String {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return text }
    let groups = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }) else { return text }
    return groups.joined() + "." + parts[1]
  }

  /// Removes commas between thousands. Keeps other commas, which may be decimal.
  private static func ungrouped(_ text: String) -> String {
    func isNumber(_ text: Substring) -> Bool { text.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let first = groups.first, let last = groups.last, groups.count > 1,
      groups.dropLast().allSatisfy(isNumber), 1...3 ~= first.utf8.count,
      groups.dropFirst().dropLast().allSatisfy({ $0.utf8.count == 3 }),
      last.prefix(while: { $0 != "." }).utf8.count == 3
    else { return text }
    return groups.joined()
  }
}

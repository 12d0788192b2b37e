/// Writes tables in RFC 4180 format: commas, CR LF, and quotes where needed.
struct CSVWriter {
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Writes one record. Nil is an empty cell.
  mutating func record(_ cells: [String?]) {
    for (number, cell) in cells.enumerated() {
      if number > 0 { bytes.append(UInt8(ascii: ",")) }
      if let cell { append(cell, isOnly: cells.count == 1) } else if cells.count == 1 { quote("") }
    }
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  private mutating func append(_ cell: String, isOnly: Bool) {
    let needsQuotes =
      cell.utf8.contains { [0x0A, 0x0D, 0x22, 0x2C].contains($0) }
      || cell.utf8.first == 0x20 || cell.utf8.last == 0x20 || isOnly && cell.isEmpty
    if needsQuotes { quote(cell) } else { bytes += cell.utf8 }
  }

  private mutating func quote(_ cell: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

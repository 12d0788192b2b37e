import FoundationEssentials
import Inventory
import JSON

/// The lines of a table as what they do to items, or all that is wrong with them.
struct ItemTable {
  private(set) var upserts: [ItemUpsert] = []
  /// Past `Limits.faultsTold` of them nothing more is read.
  private(set) var faults: [FieldError] = []
  /// The encoding that the table was read in.
  let charset: String
  private var columns: CSVHeader
  /// The lines of the references so far.
  private var references: [ItemReference: Int] = [:]
  private let maximumDepth: Int
  private let separator: CSVReader.Separator

  /// - Parameters:
  ///   - charset: what the bytes are said to be in; nil: that is found out.
  ///   - takesUnknown: whether columns that are not known are custom fields.
  ///   - makesRooms: whether the column of locations names lists.
  ///   - maximumDepth: of JSON in cells.
  /// - Throws: 422 for a table without a header or with too many lines.
  init(
    _ bytes: [UInt8], charset: String? = nil, takesUnknown: Bool = false, makesRooms: Bool = false,
    maximumDepth: Int
  ) throws(Problem) {
    self.maximumDepth = maximumDepth
    let text = try TableText(bytes, charset: charset)
    self.charset = text.charset
    var reader = CSVReader(text.bytes)
    separator = reader.separator
    var header: CSVReader.Record?
    do throws(CSVReader.SyntaxError) { header = try reader.next() } catch {
      throw .invalid(lines: [FieldError(line: error.line, nil, error.reason.sentence)])
    }
    guard let header else {
      throw .invalid(lines: [FieldError(line: 1, nil, "The first line must name the columns.")])
    }
    columns = CSVHeader(
      header, lines: reader, takesUnknown: takesUnknown, makesRooms: makesRooms)
    faults = columns.faults
    // With columns that mean nothing, the lines would be wrong one and all.
    guard faults.isEmpty else { return }
    defer { distrustSerialNumbers() }
    while faults.count < Limits.faultsTold {
      let record: CSVReader.Record?
      do throws(CSVReader.SyntaxError) { record = try reader.next() } catch {
        // Nobody can tell how the text goes on behind.
        faults.append(FieldError(line: error.line, nil, error.reason.sentence))
        return
      }
      guard let record else { return }
      // Spreadsheets leave such lines behind the last.
      guard record.cells.contains(where: { !$0.isEmpty }) else { continue }
      guard upserts.count < Limits.rowsInOneChange else {
        throw Problem(InventoryError.tooManyRows(limit: Limits.rowsInOneChange))
      }
      read(record, header)
    }
  }

  /// What breaks a rule, in the column that it stands in.
  func fault(_ violation: FieldError) -> FieldError {
    FieldError(
      line: violation.line ?? 0, .column(columns.name(of: violation.path)), violation.detail)
  }

  /// Has a serial number identify no item if it looks like a placeholder, such as N/A, - or 000. In another product's
  /// table also if several lines have it.
  private mutating func distrustSerialNumbers() {
    var counts: [String: Int] = [:]
    for upsert in upserts { if let text = upsert.serialNumber { counts[text, default: 0] += 1 } }
    for index in upserts.indices {
      guard let text = upserts[index].serialNumber else { continue }
      upserts[index].matchesSerialNumber =
        (columns.isOwn || counts[text] == 1) && text.utf8.contains { 0x31...0x39 ~= $0 }
    }
  }

  private mutating func read(_ record: CSVReader.Record, _ header: CSVReader.Record) {
    guard record.cells.count == header.cells.count else {
      faults.append(
        FieldError(
          line: record.line, nil,
          "This line has \(record.cells.count) cells. The first line has \(header.cells.count)."))
      return
    }
    var line = ItemTableLine(
      line: record.line, columns, separator: separator, maximumDepth: maximumDepth)
    for (number, cell) in record.cells.enumerated() {
      guard let column = columns.columns[number] else { continue }
      line.take(cell, column, name: header.cells[number].trimmed)
    }
    let upsert = line.upsert()
    upserts.append(upsert)
    faults += line.faults
    guard let reference = upsert.reference else { return }
    if let first = references[reference] {
      faults.append(
        FieldError(
          line: record.line, .column(columns.name(ofField: reference.field)),
          "This is in line \(first), too. Send one line for each item."))
    } else {
      references[reference] = record.line
    }
  }
}

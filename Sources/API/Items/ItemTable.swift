import FoundationEssentials
import Inventory
import JSON

/// A table's lines as changes to items, or the errors in them.
struct ItemTable {
  private(set) var upserts: [ItemUpsert] = []
  /// The errors. Reading ends at `Limits.reportedErrors`.
  private(set) var faults: [FieldError] = []
  /// The encoding in which the table was read.
  let charset: String
  private var columns: CSVHeader
  /// The custom fields that columns without a known name become.
  var unknownFields: [String] { columns.unknownFields }
  /// The line in which each reference appeared first.
  private var references: [ItemReference: Int] = [:]
  private let currency: Currency?
  private let maximumDepth: Int
  private let separator: CSVReader.Separator

  /// - Parameters:
  ///   - charset: the declared encoding. Nil: it is detected.
  ///   - takesUnknown: whether unknown columns become custom fields.
  ///   - makesRooms: whether the column of locations names lists. Nil: in an export it does.
  ///   - given: what columns are, by their names.
  ///   - currency: the inventory's; nil for US dollars. Its sign or code may stand beside a value.
  ///   - maximumDepth: the deepest nesting of JSON in cells.
  /// - Throws: 422 for invalid text, a table without a header or with too many lines; 415 for an unknown encoding.
  init(
    _ bytes: [UInt8], charset: String? = nil, takesUnknown: Bool = false, makesRooms: Bool? = nil,
    given: [String: ItemColumn] = [:],
    currency: Currency?, maximumDepth: Int
  ) throws(Problem) {
    self.currency = currency
    self.maximumDepth = maximumDepth
    let text = try TableText(bytes, charset: charset)
    self.charset = text.charset
    var reader = CSVReader(text.bytes)
    separator = reader.separator
    var header: CSVReader.Record?
    do throws(CSVReader.SyntaxError) { header = try reader.next() } catch {
      throw .invalid(line: error.line, error.reason.sentence)
    }
    guard let header else {
      throw .invalid(line: 1, "The first line must name the columns.")
    }
    columns = CSVHeader(
      header, lines: reader, takesUnknown: takesUnknown, makesRooms: makesRooms, given: given)
    faults = columns.faults
    // With invalid columns, every line would be an error.
    guard faults.isEmpty else { return }
    defer { distrustSerialNumbers() }
    var cells = 0
    while faults.count < Limits.reportedErrors {
      let record: CSVReader.Record?
      do throws(CSVReader.SyntaxError) { record = try reader.next() } catch {
        // After a syntax error the rest cannot be split into cells.
        faults.append(FieldError(line: error.line, nil, error.reason.sentence))
        return
      }
      guard let record else { return }
      // Spreadsheets write empty lines at the end.
      let filled = record.cells.count { !$0.isEmpty }
      guard filled > 0 else { continue }
      cells += filled
      guard cells <= Limits.cellsInTable else {
        throw .invalid(
          line: record.line,
          "A table has at most 500,000 filled cells. Send the rest as another table.")
      }
      guard upserts.count < Limits.rowsInOneChange else {
        throw Problem(InventoryError.tooManyRows(limit: Limits.rowsInOneChange))
      }
      read(record, header)
    }
  }

  /// Converts an error of an item's member to an error of the column that the member came from.
  func fault(_ violation: FieldError) -> FieldError {
    FieldError(
      line: violation.line ?? 0, .column(columns.name(of: violation.path)), violation.detail)
  }

  /// Stops matching items by serial numbers without a digit from 1 to 9, such as N/A, - or 000. In another product's
  /// table, a serial number on several lines is not matched either.
  private mutating func distrustSerialNumbers() {
    var counts: [String: Int] = [:]
    for upsert in upserts { if let text = upsert.serialNumber { counts[text, default: 0] += 1 } }
    for index in upserts.indices {
      guard let text = upserts[index].serialNumber else { continue }
      upserts[index].matchesSerialNumber =
        (!columns.isForeign || counts[text] == 1) && text.utf8.contains { 0x31...0x39 ~= $0 }
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
      line: record.line, columns, separator: separator, currency: currency,
      maximumDepth: maximumDepth)
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

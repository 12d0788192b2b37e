import FoundationEssentials
import Inventory
import JSON

/// The lines of a table as what they do to items, or all that is wrong with them.
struct ItemTable {
  private(set) var upserts: [ItemUpsert] = []
  /// Past `Limits.faultsTold` of them nothing more is read.
  private(set) var faults: [LineFault] = []
  private var columns: ItemColumns
  private let maximumDepth: Int
  private let hasDecimalCommas: Bool

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
    guard let text = TableText.utf8(bytes, charset: charset) else {
      throw .invalid(
        lines: [LineFault(1, nil, "The text is not in \(charset ?? ""), which Content-Type names.")]
      )
    }
    var reader = CSVReader(text)
    hasDecimalCommas = reader.hasDecimalCommas
    var header: CSVReader.Record?
    do throws(CSVReader.SyntaxError) { header = try reader.next() } catch {
      throw .invalid(lines: [LineFault(error.line, nil, error.reason.sentence)])
    }
    guard let header else {
      throw .invalid(lines: [LineFault(1, nil, "The first line is to name the columns.")])
    }
    columns = ItemColumns(header, takesUnknown: takesUnknown, makesRooms: makesRooms)
    faults = columns.faults
    // With columns that mean nothing, the lines would be wrong one and all.
    guard faults.isEmpty else { return }
    while faults.count < Limits.faultsTold {
      let record: CSVReader.Record?
      do throws(CSVReader.SyntaxError) { record = try reader.next() } catch {
        // Nobody can tell how the text goes on behind.
        faults.append(LineFault(error.line, nil, error.reason.sentence))
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
  func fault(_ violation: LineViolation) -> LineFault {
    LineFault(
      violation.line, .column(columns.name(of: violation.violation.path)),
      violation.violation.detail)
  }

  private mutating func read(_ record: CSVReader.Record, _ header: CSVReader.Record) {
    guard record.cells.count == header.cells.count else {
      faults.append(
        LineFault(
          record.line, nil,
          "The first line has \(header.cells.count) cells, and this one \(record.cells.count)."))
      return
    }
    var line = ItemTableLine(
      line: record.line, isOwn: columns.isOwn, reference: columns.reference,
      hasDecimalCommas: hasDecimalCommas, maximumDepth: maximumDepth)
    for (number, cell) in record.cells.enumerated() {
      guard let column = columns.columns[number] else { continue }
      line.take(cell, column, name: header.cells[number].trimmed)
    }
    upserts.append(line.upsert())
    faults += line.faults
  }
}

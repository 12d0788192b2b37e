/// Reads tables as spreadsheets do, which accept everything. Quotes count only at the beginning of a cell, and text after
/// the closing one belongs to the cell.
enum PlainSpreadsheet {
  private enum Place { case beginning, plain, quoted, behindQuote }

  /// All cells, line by line.
  static func cells(
    of text: String, separatedBy separator: Unicode.Scalar
  ) -> [String.UnicodeScalarView] {
    var cells: [String.UnicodeScalarView] = []
    var cell = String.UnicodeScalarView()
    var place = Place.beginning
    for scalar in text.unicodeScalars {
      switch (place, scalar) {
      case (.quoted, "\""): place = .behindQuote
      case (.quoted, _): cell.append(scalar)
      case (_, separator), (_, "\r"), (_, "\n"):
        cells.append(cell)
        cell = String.UnicodeScalarView()
        place = .beginning
      case (.beginning, "\""): place = .quoted
      case (.behindQuote, "\""):
        cell.append(scalar)
        place = .quoted
      case (.beginning, _), (.behindQuote, _), (.plain, _):
        cell.append(scalar)
        place = .plain
      }
    }
    return cells + [cell]
  }
}

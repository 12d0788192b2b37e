/// How large the application lets things be; each limit has a violation or an error of its own.
package enum Limits {
  /// Names and titles, in Unicode scalars after trimming.
  package static let title = 1...500
  package static let shortText = 200
  /// In bytes of UTF-8.
  package static let notes = 64 * 1024
  package static let tagCount = 50
  package static let tag = 1...100
  package static let fieldCount = 100
  /// In bytes of JSON.
  package static let fields = 16 * 1024
  package static let value: ClosedRange<Int64> = 0...99_999_999_999_999
  package static let quantity: ClosedRange<Int64> = 0...1_000_000_000
  package static let firstCarYear = 1885
  /// In hundredths of a litre.
  package static let fuelAmount: ClosedRange<Int64> = 0...1_000_000

  package static let photosOfItem = 50

  package static let page = 1...1_000
  package static let defaultPage = 50
  package static let rowsMovedAtOnce = 500
  package static let operationsInBatch = 500
  package static let rowsInOneChange = 10_000
  /// Rows that are there already and are changed by one import or table.
  package static let rowsEditedAtOnce = 400
  /// New rows that one import or table brings into lists that are there already; rows of lists that it brings
  /// itself do not count.
  package static let rowsAddedAtOnce = 3_000
  /// The text of rows that one import or table changes, in bytes; before and after both count.
  package static let textEditedAtOnce = 512 << 10
  /// The text that one batch adds or changes, in bytes; before and after both count.
  package static let textOfBatch = 256 << 10
  /// The text of rows that one request moves, deletes or edits, but does not change itself, in bytes.
  package static let textKeptAtOnce = 4 << 20
  /// Lists inside one another that a cell of a table may name.
  package static let roomsInOneCell = 32
  /// Imports that are staged at a time.
  package static let importsAtOnce = 8
  /// Of what is wrong with one request: as many tell enough, and a body can hold a million.
  package static let faultsTold = 100
  /// That a command looks at where rows go further down; where more come with them, none of the inventory's lists may
  /// be so deep that it could come below the depth limit.
  package static let listsTakenDown = 10_000
  /// That the log names of one change, from among the first of its steps.
  package static let subjectsOfChange = 10
  package static let stepsNamed = 200
  /// Changes that one page of the log looks at for a caller who sees a part of the inventory.
  package static let changesOnPage = 1_000
  /// Steps of changes past which a page of the log ends, and bytes.
  package static let stepsOnPage = 10_000
  package static let bytesOfLogPage = 1 << 20
  /// Also the most that a view sorts.
  package static let rowsReordered = 250_000

  /// Of one owner.
  package static let navigators = 100
  package static let tabs = 20
  package static let tabID = 1...100
  package static let screensOnStack = 64
  /// In bytes of JSON.
  package static let screenState = 4 * 1024
  /// Of which a search ranks, in the order in which they were made.
  package static let searchMatches = 10_000
  /// In characters.
  package static let searchText = 200
  package static let searchWords = 16
  /// Of all words together, "AB-12" having two.
  package static let searchParts = 32
}

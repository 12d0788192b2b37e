/// The limits of the application. Exceeding most of them is a field error or an error of its own.
package enum Limits {
  /// The length of names and titles, in Unicode scalars after trimming.
  package static let title = 1...500
  package static let shortText = 200
  /// The length of a list's glyph in bytes of UTF-8. The longest emoji has 35.
  package static let glyph = 40
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
  package static let rowsMovedAtOnce = 100
  package static let operationsInBatch = 100
  package static let rowsInOneChange = 10_000
  /// Filled cells of one table. Each takes about 100 bytes of memory while the table is read.
  package static let cellsInTable = 500_000
  /// Existing rows that one import or table changes.
  package static let rowsEditedAtOnce = 400
  /// New rows that one import or table adds to existing lists. Rows of its own new lists do not count.
  package static let rowsAddedAtOnce = 1_000
  /// Existing lists whose rows one import changes. Each costs the writer as much as several rows.
  package static let listsChangedAtOnce = 200
  /// The old and new text of the rows that one import or table changes, together, in bytes.
  package static let textEditedAtOnce = 512 << 10
  /// The text that one batch adds or changes, old and new together, in bytes.
  package static let textOfBatch = 256 << 10
  /// In bytes: the unchanged text of rows that one request moves, deletes or edits, and the text of rows that an import
  /// adds to existing lists.
  package static let textKeptAtOnce = 1 << 20
  /// Nested lists that a cell of a table may name.
  package static let roomsInOneCell = 32
  /// Imports that are staged at the same time.
  package static let importsAtOnce = 8
  /// The errors that a refusal lists. A body could cause a million.
  package static let reportedErrors = 100
  /// Lists that a command looks at when rows move further down. If more lists move along, all of them count as being as
  /// deep as the inventory's deepest list.
  package static let listsTakenDown = 10_000
  /// The rows that the log names for one change, and the steps among which it looks for them.
  package static let subjectsOfChange = 10
  package static let stepsNamed = 200
  /// Changes that one page of the log looks at for a caller who sees a part of the inventory.
  package static let changesOnPage = 1_000
  /// Steps of changes, and bytes, past which a page of the log ends.
  package static let stepsOnPage = 10_000
  package static let bytesOfLogPage = 1 << 20
  /// Rows of a list that one request reorders. Also the most rows that a view sorts.
  package static let rowsReordered = 250_000
  /// Rows of each kind of error that the refusal of a new order names.
  package static let rowsNamedInRefusal = 100
  /// The text by which rows are sorted, in bytes. All of it is in memory, with a key of about the same size.
  package static let textSorted = 32 << 20

  /// Tokens of one inventory. A purge checks them all, and may revoke them all. An owner's token for one list cannot
  /// create a token while the inventory has half of this number or more.
  package static let tokens = 2_000
  /// Open invitations of one inventory. Those to administrators' tokens count together.
  package static let invitations = 50
  /// The name of an invitation, and that of the device that accepts it. Both together are a token's name.
  package static let invitedName = 1...95

  /// Commands of one batch of an offline client.
  package static let syncCommands = 200
  /// The highest number of a command. JavaScript reads it exactly.
  package static let syncNumber: Int64 = 1 << 53 - 1
  /// Offline clients of one token in one inventory.
  package static let syncClients = 500
  /// The stored results of a client's last batch, in bytes.
  package static let syncResults = 128 << 10
  /// In seconds. Then an unused client is forgotten.
  package static let syncClientLifetime: Int64 = 400 * 86_400
  /// One position with its alternatives.
  package static let alternatives = 8

  /// Navigators of one owner.
  package static let navigators = 100
  package static let tabs = 8
  package static let tabID = 1...100
  package static let screensOnStack = 64
  /// Screens of all stacks of a navigator. Each change of the navigator reads and answers all of them.
  package static let screens = 128
  /// In bytes of JSON.
  package static let screenState = 4 * 1024
  /// Matches that a search ranks, the oldest first.
  package static let searchMatches = 10_000
  /// In Unicode scalars.
  package static let searchText = 200
  package static let searchWords = 16
  /// Parts of all words together. "AB-12" has two.
  package static let searchParts = 32
}

import Foundation

/// The queue, the photos, and the outcomes of commands.
extension OfflineFile {
  func queue() throws(OfflineDatabase.Failure) -> [QueuedCommand] {
    var queue: [QueuedCommand] = []
    var isReadable = true
    try database.run(
      "SELECT id, intent, date, title, sequence, revision FROM command ORDER BY id"
    ) { columns in
      let text = columns.text(1)
      guard let command = Self.decoded(text, SyncCommand.self) else { return isReadable = false }
      var entry = QueuedCommand(
        id: columns.int(0), intent: command.intent, date: Self.date(columns.int(2)),
        title: columns.text(3), size: text.utf8.count)
      if let revision = columns.intOrNil(5) {
        entry.state = .done(revision: revision)
      } else if let sequence = columns.intOrNil(4) {
        entry.state = .sent(sequence: sequence)
      }
      queue.append(entry)
    }
    guard isReadable else { throw Self.unreadable }
    return queue
  }

  /// Adds a command. It is on disk when this returns.
  func append(
    _ intent: SyncCommand.Intent, titled title: String
  ) throws(OfflineDatabase.Failure) -> QueuedCommand {
    let date = Self.date(Self.number(Date()))
    let text = try Self.encoded(SyncCommand(0, intent))
    try database.run(
      "INSERT INTO command (intent, date, title) VALUES (?1, ?2, ?3)",
      [.text(text), .int(Self.number(date)), .text(title)])
    return QueuedCommand(
      id: database.lastRowID, intent: intent, date: date, title: title, size: text.utf8.count)
  }

  /// Stores the state of a command. Nil removes the command.
  func set(_ state: QueuedCommand.State?, of id: Int) throws(OfflineDatabase.Failure) {
    let (sequence, revision): (Int?, Int?) =
      switch state {
      case nil: (nil, nil)
      case .waiting: (nil, nil)
      case .sent(let sequence): (sequence, nil)
      case .done(let revision): (nil, revision)
      }
    guard state != nil else {
      return try database.run("DELETE FROM command WHERE id = ?1", [.int(id)])
    }
    try database.run(
      "UPDATE command SET sequence = ?2, revision = ?3 WHERE id = ?1",
      [.int(id), OfflineValue(sequence), OfflineValue(revision)])
  }

  // MARK: Photos

  static func photos(in folder: URL) -> URL { folder.appendingPathComponent("photos") }

  func photos() throws(OfflineDatabase.Failure) -> [OfflinePhoto] {
    var photos: [OfflinePhoto] = []
    try database.run("SELECT number, id, item, behind, date FROM photo ORDER BY number") {
      photos.append(
        OfflinePhoto(
          number: $0.int(0), id: .init(rawValue: $0.text(1)), item: .init(rawValue: $0.text(2)),
          behind: $0.int(3), date: Self.date($0.int(4))))
    }
    return photos
  }

  /// Adds a photo to those that are to be sent. Its file must be complete.
  ///
  /// - Parameter behind: The id of the last command that must be answered before the photo is sent.
  func append(
    _ id: Photo.ID, of item: Item.ID, behind: Int
  ) throws(OfflineDatabase.Failure) -> OfflinePhoto {
    let date = Self.date(Self.number(Date()))
    try database.run(
      "INSERT INTO photo (id, item, behind, date) VALUES (?1, ?2, ?3, ?4)",
      [.text(id.rawValue), .text(item.rawValue), .int(behind), .int(Self.number(date))])
    return OfflinePhoto(
      number: database.lastRowID, id: id, item: item, behind: behind, date: date)
  }

  func remove(_ photo: OfflinePhoto) throws(OfflineDatabase.Failure) {
    try database.run("DELETE FROM photo WHERE number = ?1", [.int(photo.number)])
  }

  // MARK: Outcomes

  /// The outcomes that were not dismissed, the oldest first.
  func notices() throws(OfflineDatabase.Failure) -> [OfflineNotice] {
    var notices: [OfflineNotice] = []
    try database.run("SELECT content FROM notice WHERE NOT isDismissed ORDER BY id") { columns in
      if let notice = Self.decoded(columns.text(0), OfflineNotice.self) { notices.append(notice) }
    }
    return notices
  }

  func notice(_ id: Int) throws(OfflineDatabase.Failure) -> OfflineNotice? {
    var notice: OfflineNotice?
    try database.run("SELECT content FROM notice WHERE id = ?1", [.int(id)]) {
      notice = Self.decoded($0.text(0), OfflineNotice.self)
    }
    return notice
  }

  /// - Parameter isDismissed: Whether the app need not show it. It is stored nevertheless, so that its command can be
  ///   undone.
  func write(_ notice: OfflineNotice, isDismissed: Bool) throws(OfflineDatabase.Failure) {
    try database.run(
      "INSERT OR REPLACE INTO notice VALUES (?1, ?2, ?3)",
      [.int(notice.id), .text(try Self.encoded(notice)), .int(isDismissed ? 1 : 0)])
  }

  func dismiss(_ id: Int) throws(OfflineDatabase.Failure) {
    try database.run("UPDATE notice SET isDismissed = 1 WHERE id = ?1", [.int(id)])
  }

  /// Deletes the dismissed outcomes that are not among the last 1,001.
  func forgetOldNotices() throws(OfflineDatabase.Failure) {
    try database.run(
      """
      DELETE FROM notice WHERE isDismissed AND id <
        (SELECT id FROM notice ORDER BY id DESC LIMIT 1 OFFSET 1000)
      """)
  }

  // In seconds, as in JSON, so that a date is the same after it was read.
  private static func number(_ date: Date) -> Int { Int(date.timeIntervalSince1970) }
  private static func date(_ number: Int) -> Date {
    Date(timeIntervalSince1970: Double(number))
  }
}

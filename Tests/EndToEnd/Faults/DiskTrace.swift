import Foundation

/// What a server has written to its database's files, and what it has answered, in the order of things.
///
/// The layout is that of `tell` in `faulty-disk.c`.
struct DiskTrace: Sendable {
  enum Kind: UInt8 {
    case created = 1
    case written, truncated, syncBegun, syncEnded, unlinked, sent, syncFailed
  }

  enum File: UInt8, CaseIterable {
    case database = 1
    case wal, journal, folder
    /// A file that is to get the database's name once it is whole.
    case draft = 6

    /// What follows the database's path in its name, of a draft in part.
    var suffix: String {
      switch self {
      case .database, .folder: ""
      case .wal: "-wal"
      case .journal: "-journal"
      case .draft: ".part"
      }
    }
  }

  struct Record {
    let kind: Kind
    /// Nil for what was sent.
    let file: File?
    /// Where it was written, or the size that is left.
    let offset: Int
    /// The range of the written bytes in `bytes`.
    let content: Range<Int>
    /// The highest revision that a client had received at this time.
    let told: Int
  }

  struct Malformed: Error { let offset: Int }

  let bytes: [UInt8]
  let records: [Record]

  init(path: String) throws {
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    records = try Self.read(bytes)
  }

  private static func read(_ bytes: [UInt8]) throws -> [Record] {
    var records: [Record] = []
    var told = 0
    var offset = 0
    while offset < bytes.count {
      guard offset + 16 <= bytes.count, let kind = Kind(rawValue: bytes[offset]) else {
        throw Malformed(offset: offset)
      }
      let (count, place) = bytes.withUnsafeBytes {
        (
          Int($0.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)),
          Int($0.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self))
        )
      }
      let content = offset + 16..<offset + 16 + count
      guard content.upperBound <= bytes.count else { throw Malformed(offset: offset) }
      if kind == .sent { told = max(told, revision(in: bytes[content])) }
      records.append(
        Record(
          kind: kind, file: File(rawValue: bytes[offset + 1]), offset: place, content: content,
          told: told))
      offset = content.upperBound
    }
    return records
  }

  /// The revision in an answer; 0 if it has none.
  private static func revision(in bytes: ArraySlice<UInt8>) -> Int {
    guard let end = Answer.headEnd(in: Array(bytes)),
      let answer = try? Answer(head: Array(bytes.prefix(end)))
    else { return 0 }
    return answer["rowhouse-revision"].flatMap { Int($0) } ?? 0
  }
}

/// What the disk may hold at one moment of a trace if the power goes just then.
///
/// It knows what has to be there, as each file's last sync has left it, and what was written since, of
/// which any part may be. A name that was made or taken away is on the disk once its folder is synced.
struct TracedDisk {
  /// How much of what was not synced is lost.
  enum Loss: CaseIterable {
    case nothing, everything
    /// Of each write all or nothing.
    case writes
    /// Of each sector of 512 bytes, or of each page of the system's cache.
    case sectors, pages
    /// All from one moment on, the write of that moment in part.
    case end
  }

  /// A file by whatever name.
  private struct Content {
    var synced: [UInt8] = []
    /// Numbers of the records since.
    var waiting: [Int] = []
    /// How many of them a sync that has begun will have put on the disk.
    var syncing = 0
  }

  /// The file of a name, in `contents`.
  private struct Name {
    var synced: Int?
    var waiting: [Int?] = []
    var syncing = 0
    var present: Int? { waiting.last ?? synced }

    func syncingAll() -> Name {
      var name = self
      name.syncing = waiting.count
      return name
    }
  }

  private let trace: DiskTrace
  /// Whether a sync does nothing but say that it is done.
  private let isLying: Bool
  private var contents: [Content] = []
  private var names: [DiskTrace.File: Name] = [:]

  /// - Parameter files: what was on the disk before the trace began.
  init(
    _ trace: DiskTrace, isLying: Bool = false, holding files: [DiskTrace.File: [UInt8]] = [:]
  ) {
    self.trace = trace
    self.isLying = isLying
    for (file, bytes) in files {
      names[file] = Name(synced: contents.count)
      contents.append(Content(synced: bytes))
    }
  }

  /// Goes one record on.
  mutating func pass(_ number: Int) {
    let record = trace.records[number]
    guard let file = record.file else { return }
    switch record.kind {
    case .created:
      names[file, default: Name()].waiting.append(contents.count)
      contents.append(Content())
    case .unlinked: names[file, default: Name()].waiting.append(nil)
    case .written, .truncated:
      if let content = names[file]?.present { contents[content].waiting.append(number) }
    case .syncBegun where isLying: break
    case .syncBegun where file == .folder:
      names = names.mapValues { $0.syncingAll() }
    case .syncBegun:
      if let content = names[file]?.present {
        contents[content].syncing = contents[content].waiting.count
      }
    case .syncEnded where file == .folder:
      for (file, var name) in names where name.syncing > 0 {
        name.synced = name.waiting[name.syncing - 1]
        name.waiting.removeFirst(name.syncing)
        name.syncing = 0
        names[file] = name
      }
    case .syncEnded:
      if let content = names[file]?.present { settle(content) }
    case .syncFailed:
      if let content = names[file]?.present {
        contents[content].waiting.removeAll { trace.records[$0].kind == .written }
      }
    case .sent: break
    }
  }

  private mutating func settle(_ number: Int) {
    let settled = contents[number].waiting.prefix(contents[number].syncing)
    for record in settled { apply(record, to: &contents[number].synced) }
    contents[number].waiting.removeFirst(settled.count)
    contents[number].syncing = 0
  }

  /// Does what a record says, or of a write the part that is wanted.
  private func apply(_ number: Int, part: Range<Int>? = nil, to bytes: inout [UInt8]) {
    let record = trace.records[number]
    if record.kind == .truncated {
      Self.resize(&bytes, to: record.offset)
      return
    }
    let part = part ?? 0..<record.content.count
    let start = record.offset + part.lowerBound
    if bytes.count < start + part.count { Self.resize(&bytes, to: start + part.count) }
    bytes.withUnsafeMutableBytes { target in
      trace.bytes.withUnsafeBytes { source in
        let first = record.content.lowerBound + part.lowerBound
        UnsafeMutableRawBufferPointer(rebasing: target[start..<start + part.count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[first..<first + part.count]))
      }
    }
  }

  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    }
  }

  /// The files that are found when the power is back.
  func image(
    losing loss: Loss, _ random: inout some RandomNumberGenerator
  ) -> [DiskTrace.File: [UInt8]] {
    var files: [DiskTrace.File: [UInt8]] = [:]
    for file in DiskTrace.File.allCases {
      guard let name = names[file] else { continue }
      let kept =
        switch loss {
        case .nothing: name.waiting.count
        case .everything: 0
        case .writes, .sectors, .pages, .end: Int.random(in: 0...name.waiting.count, using: &random)
        }
      let found = kept == 0 ? name.synced : name.waiting[kept - 1]
      if let found { files[file] = bytes(of: contents[found], losing: loss, &random) }
    }
    return files
  }

  private func bytes(
    of content: Content, losing loss: Loss, _ random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var bytes = content.synced
    // A size may reach the disk before the data. Then the file has zeros.
    let isGrown = loss != .everything && Bool.random(using: &random)
    let end = Int.random(in: 0...content.waiting.count, using: &random)
    for (position, number) in content.waiting.enumerated() {
      for part in parts(of: number) {
        let isKept =
          switch loss {
          case .nothing: true
          case .everything: false
          case .writes, .sectors, .pages: Bool.random(using: &random)
          case .end: position < end || position == end && Bool.random(using: &random)
          }
        if isKept {
          apply(number, part: part, to: &bytes)
        } else if isGrown, let part {
          let end = trace.records[number].offset + part.upperBound
          if bytes.count < end { Self.resize(&bytes, to: end) }
        }
      }
    }
    return bytes

    /// The parts of a write that are lost or kept each for itself; nil stands for all of a record.
    func parts(of number: Int) -> [Range<Int>?] {
      let size =
        switch loss {
        case .nothing, .everything, .writes: 0
        case .sectors, .end: 512
        case .pages: 4_096
        }
      let record = trace.records[number]
      guard size > 0, record.kind == .written else { return [nil] }
      // Sectors begin at multiples of their size, wherever the write does.
      var parts: [Range<Int>?] = []
      var start = 0
      while start < record.content.count {
        let next = size - (record.offset + start) % size
        parts.append(start..<min(record.content.count, start + next))
        start += next
      }
      return parts
    }
  }
}

import Foundation

/// A file that replaces another one when it is complete. Otherwise it is deleted.
struct AtomicFile: ~Copyable {
  let handle: FileHandle
  private let path: String
  private let target: String

  init(of target: URL) throws(RowhouseError) {
    // In the same folder, so that one rename moves it.
    let draft = target.deletingLastPathComponent().appendingPathComponent(
      ".\(target.lastPathComponent).\(UUID().uuidString)")
    path = draft.path
    self.target = target.path
    do {
      try Data().write(to: draft)
      handle = try FileHandle(forWritingTo: draft)
    } catch { throw .file(underlying: error) }
  }

  deinit { unlink(path) }

  /// Moves it to its place, and replaces the file there.
  func publish() throws(RowhouseError) {
    do {
      try handle.close()
      guard rename(path, target) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    } catch { throw .file(underlying: error) }
  }
}

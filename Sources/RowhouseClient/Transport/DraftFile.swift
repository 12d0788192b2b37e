import Foundation

/// A file that takes another one's place once it is whole, and goes where it never is.
struct DraftFile: ~Copyable {
  let handle: FileHandle
  private let path: String
  private let target: String

  init(of target: URL) throws(RowhouseError) {
    // Beside it, so that it comes to its place by one step.
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

  /// Puts it in its place, and in that of what was there.
  func publish() throws(RowhouseError) {
    do {
      try handle.close()
      guard rename(path, target) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    } catch { throw .file(underlying: error) }
  }
}

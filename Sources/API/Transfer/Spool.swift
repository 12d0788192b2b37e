import Glibc
import Inventory
import Synchronization

/// Bytes in an unnamed temporary file. The file is deleted with the last reference to the spool.
///
/// An export is written to a spool, and sent as fast as its client reads. An import is written to a spool, and read
/// when it is complete.
package final class Spool: Sendable {
  package enum Failure: Error {
    /// All spools together, or those of the token, have too many bytes or are too many.
    case crowded
    /// A system call failed with this `errno`.
    case system(Int32)

    package var isFull: Bool {
      guard case .system(let code) = self else { return false }
      return code == ENOSPC || code == EDQUOT || code == EFBIG
    }
  }

  /// `TMPDIR`, or /var/tmp, which unlike /tmp is rarely in memory.
  package static var standardFolder: String {
    getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
  }

  let room: SpoolRoom
  private let caller: Caller?
  private let descriptor: Int32
  private let size = Atomic<Int>(0)
  private let hasLeft = Atomic<Bool>(false)

  package var count: Int { size.load(ordering: .acquiring) }

  /// - Parameter caller: can take only a share of the room.
  package init(in room: SpoolRoom, for caller: Caller? = nil) throws(Failure) {
    guard room.files.take(for: caller) else { throw .crowded }
    var template = Array((room.folder + "/rowhouse-XXXXXX").utf8CString)
    let opened = mkstemp(&template)
    guard opened >= 0 else {
      let code = errno
      room.files.give(for: caller)
      throw .system(code)
    }
    self.room = room
    self.caller = caller
    unlink(template)
    _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
    descriptor = opened
  }

  deinit {
    close(descriptor)
    leave()
  }

  /// Appends bytes, from one thread at a time.
  package func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(Failure) {
    guard room.bytes.take(bytes.count, for: caller) else { throw .crowded }
    var start = count
    var rest = bytes
    while !rest.isEmpty {
      let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(start))
      guard written > 0 else {
        if errno == EINTR { continue }
        let code = errno
        room.bytes.give(bytes.count, for: caller)
        throw .system(code)
      }
      start += written
      rest = UnsafeBufferPointer(rebasing: rest[written...])
    }
    size.store(start, ordering: .releasing)
  }

  /// Deletes the bytes and returns the quota before the last reference is released. Call it before a response, so that
  /// the client's next request finds the room.
  func giveBack() {
    ftruncate(descriptor, 0)
    leave()
  }

  private func leave() {
    guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
    room.bytes.give(size.exchange(0, ordering: .acquiringAndReleasing), for: caller)
    room.files.give(for: caller)
  }

  /// Appends the bytes at `offset` to `output`, at most `limit`.
  package func read(
    at offset: Int, limit: Int, into output: inout [UInt8]
  ) throws(Failure) {
    let length = min(limit, count - offset)
    guard length > 0 else { return }
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: length))
    var done = 0
    while done < length {
      let got = output.withUnsafeMutableBytes {
        pread(
          descriptor, $0.baseAddress.map { $0 + start + done }, length - done,
          off_t(offset + done))
      }
      guard got > 0 else {
        if got < 0, errno == EINTR { continue }
        throw .system(got == 0 ? EIO : errno)
      }
      done += got
    }
  }

  /// Has the kernel read bytes from `offset` in advance, so that a later read does not wait for the disk
  /// (posix_fadvise(2)).
  func fetchAhead(from offset: Int, count: Int) {
    posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_WILLNEED)
  }
}

extension Spool.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .crowded: "too much is on its way already"
    case .system(let code): String(cString: strerror(code))
    }
  }
}

/// The folder of the spools and the limits of their number and bytes, shared by all loops.
package final class SpoolRoom: Sendable {
  /// The default number of spools. Each takes a descriptor, and connections need theirs.
  package static let standardCount = 1_000

  package let folder: String
  let files: Quota
  let bytes: Quota

  /// - Parameters:
  ///   - limit: the most bytes of all spools.
  ///   - count: the most spools.
  package init(
    folder: String = Spool.standardFolder, limit: Int = 16 << 30, count: Int = standardCount
  ) {
    self.folder = folder
    files = Quota(count)
    bytes = Quota(limit)
  }
}

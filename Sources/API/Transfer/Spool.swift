import Glibc
import Synchronization

/// Bytes that wait in a file without a name, gone with the last who holds it: an export that is sent as
/// fast as its reader reads, an import that is read once it is whole.
package final class Spool: Sendable {
  package struct Failure: Error {
    package let code: Int32
    package var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
  }

  /// `TMPDIR`, or /var/tmp, which unlike /tmp seldom lies in memory.
  package static var standardFolder: String {
    getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
  }

  private let descriptor: Int32
  private let size = Atomic<Int>(0)

  package var count: Int { size.load(ordering: .acquiring) }

  package init(in folder: String) throws(Failure) {
    var template = Array((folder + "/rowhouse-XXXXXX").utf8CString)
    let opened = mkstemp(&template)
    guard opened >= 0 else { throw Failure(code: errno) }
    unlink(template)
    _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// Appends bytes; one thread at a time.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var start = count
    var rest = bytes
    while !rest.isEmpty {
      let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(start))
      guard written > 0 else {
        if errno == EINTR { continue }
        throw Failure(code: errno)
      }
      start += written
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    size.store(start, ordering: .releasing)
  }

  /// Appends to `output` what stands at `offset`, at most `limit` bytes.
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
        throw Failure(code: got == 0 ? EIO : errno)
      }
      done += got
    }
  }
}

import Glibc

/// An open file descriptor, closed with its owner.
struct Descriptor: ~Copyable {
  let raw: Int32

  init(_ raw: Int32) { self.raw = raw }

  deinit { _ = close(raw) }
}

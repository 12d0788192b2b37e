import Glibc

/// An open file descriptor, closed when its owner is released.
struct Descriptor: ~Copyable {
  let raw: Int32

  init(_ raw: Int32) { self.raw = raw }

  deinit { _ = close(raw) }
}

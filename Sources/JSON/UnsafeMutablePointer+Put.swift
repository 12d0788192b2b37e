/// Writes at a pointer and advances it. The caller must have reserved the bytes.
extension UnsafeMutablePointer<UInt8> {
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    pointee = byte
    self += 1
  }

  @inline(__always)
  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    update(from: start, count: bytes.count)
    self += bytes.count
  }
}

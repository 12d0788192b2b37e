/// The hash function SHA-256 (FIPS 180-4, section 6.2), of a message that arrives in pieces.
package struct SHA256: Sendable {
  private var state = initial
  /// The beginning of an incomplete block.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  private static let block = 64

  package init() {}

  package mutating func take(_ piece: Span<UInt8>) {
    count += UInt64(piece.count)
    var start = 0
    if !rest.isEmpty {
      start = min(Self.block - rest.count, piece.count)
      for index in 0..<start { rest.append(piece[index]) }
      guard rest.count == Self.block else { return }
      let block = rest
      mix(block.span, from: 0)
      rest.removeAll(keepingCapacity: true)
    }
    while piece.count - start >= Self.block {
      mix(piece, from: start)
      start += Self.block
    }
    for index in start..<piece.count { rest.append(piece[index]) }
  }

  /// The 32 bytes of the digest of all pieces.
  package consuming func digest() -> [UInt8] {
    // A one bit, zeros, and the length in bits end the last block (section 5.1.1).
    let bits = count * 8
    var tail: [UInt8] = [0x80]
    while (rest.count + tail.count) % Self.block != 56 { tail.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    take(tail.span)
    return state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  package static func digest(of message: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.take(message.span)
    return hash.digest()
  }

  /// Processes one block (section 6.2.2).
  private mutating func mix(_ bytes: Span<UInt8>, from start: Int) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for index in 0..<16 {
        let place = start + index * 4
        let high = UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
        words[index] = high | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
      }
      for index in 16..<64 {
        let (near, far) = (words[index - 2], words[index - 15])
        let low = Self.rotated(near, 17) ^ Self.rotated(near, 19) ^ near >> 10
        let high = Self.rotated(far, 7) ^ Self.rotated(far, 18) ^ far >> 3
        words[index] = low &+ words[index - 7] &+ high &+ words[index - 16]
      }
      mix(words)
    }
  }

  private mutating func mix(_ words: UnsafeMutableBufferPointer<UInt32>) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    Self.constants.withUnsafeBufferPointer { constants in
      for index in 0..<64 {
        let choice = e & f ^ ~e & g
        let high = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
        let first = h &+ high &+ choice &+ constants[index] &+ words[index]
        let majority = a & b ^ a & c ^ b & c
        let second = (Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)) &+ majority
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
      }
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  /// The initial state (section 5.3.3).
  private static let initial: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

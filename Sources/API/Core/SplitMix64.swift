/// The output function of SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
enum SplitMix64 {
  static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The word at a place of the sequence.
  static func word(_ place: UInt64) -> UInt64 {
    var word = place &* step
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}

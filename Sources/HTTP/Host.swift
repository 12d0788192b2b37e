/// Checks `uri-host [":" port]`, as in the Host field and a target's authority (RFC 9110 §7.2).
enum Host {
  /// Whether the host is not empty and has no user information, escapes, zone, or port above 65535.
  static func isValid(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard !range.isEmpty else { return false }
    var index = range.lowerBound
    if bytes[index] == 0x5B {
      guard let bracket = bytes[range].firstIndex(of: 0x5D),
        isAddress(bytes[(index + 1)..<bracket])
      else { return false }
      index = bracket + 1
    } else {
      while index < range.upperBound, ByteSet.hostName.contains(bytes[index]) { index += 1 }
      guard index > range.lowerBound else { return false }
    }
    guard index < range.upperBound else { return true }
    guard bytes[index] == 0x3A else { return false }
    var port = 0
    for position in (index + 1)..<range.upperBound {
      guard bytes[position].isDigit else { return false }
      port = port * 10 + Int(bytes[position] &- 0x30)
      guard port <= 65535 else { return false }
    }
    return true
  }

  /// Whether the bytes are an IPv6 address (RFC 3986 §3.2.2): eight groups, or fewer with one "::"; IPv4 may end it.
  private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
    var groups = 0
    var hasGap = false
    var index = bytes.startIndex
    if bytes.starts(with: [0x3A]) {
      guard bytes.starts(with: [0x3A, 0x3A]) else { return false }
      hasGap = true
      index += 2
    }
    while index < bytes.endIndex {
      let start = index
      while index < bytes.endIndex, bytes[index].hexValue != nil { index += 1 }
      if index < bytes.endIndex, bytes[index] == 0x2E {
        guard isIPv4(bytes[start...]) else { return false }
        groups += 2
        break
      }
      guard index - start >= 1, index - start <= 4 else { return false }
      groups += 1
      guard index < bytes.endIndex else { break }
      guard bytes[index] == 0x3A else { return false }
      index += 1
      guard index < bytes.endIndex else { return false }
      if bytes[index] == 0x3A {
        guard !hasGap else { return false }
        hasGap = true
        index += 1
      }
    }
    return hasGap ? groups < 8 : groups == 8
  }

  private static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
    let parts = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard (1...3).contains(part.count), part.allSatisfy(\.isDigit) else { return false }
        return part.reduce(0) { $0 * 10 + Int($1 &- 0x30) } <= 255
      }
  }
}

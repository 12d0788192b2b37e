/// The modules of a QR code: its patterns, and the codewords under the best mask (ISO/IEC 18004:2015 §7.3, §7.7 to
/// §7.10).
struct QRMatrix {
  let version: Int
  let size: Int
  /// Whether each module is dark, row by row.
  private(set) var modules: [Bool]
  /// The modules of patterns and information, which hold no data.
  private var isReserved: [Bool]

  init(version: Int, codewords: [UInt8]) {
    self.version = version
    size = 17 + 4 * version
    modules = [Bool](repeating: false, count: size * size)
    isReserved = modules
    drawPatterns()
    place(codewords)
    chooseMask()
  }

  /// The codewords of a version, data and error correction.
  static func codewordCount(version: Int) -> Int {
    var modules = (16 * version + 128) * version + 64
    let alignments = alignmentCount(version)
    if alignments > 0 { modules -= (25 * alignments - 10) * alignments - 55 }
    if version >= 7 { modules -= 36 }
    return modules / 8
  }

  // Patterns

  /// Alignment patterns on each side.
  private static func alignmentCount(_ version: Int) -> Int {
    version == 1 ? 0 : version / 7 + 2
  }

  /// The rows and columns of the centres of alignment patterns (annex E).
  private var alignments: [Int] {
    let count = Self.alignmentCount(version)
    guard count > 0 else { return [] }
    let step = (8 * version + 3 * count + 5) / (4 * count - 4) * 2
    return [6] + (0..<count - 1).reversed().map { size - 7 - $0 * step }
  }

  private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
    modules[y * size + x] = isDark
    isReserved[y * size + x] = true
  }

  private mutating func drawPatterns() {
    for place in 0..<size {
      set(6, place, place.isMultiple(of: 2))
      set(place, 6, place.isMultiple(of: 2))
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
    let alignments = alignments
    for x in alignments {
      for y in alignments {
        let isAtFinder = x == 6 && y == 6 || x == 6 && y == size - 7 || x == size - 7 && y == 6
        if !isAtFinder { drawSquares(x, y, radius: 2, light: [1]) }
      }
    }
    drawFormat(mask: 0)
    drawVersion()
  }

  /// A finder pattern with its separator.
  private mutating func drawFinder(_ x: Int, _ y: Int) {
    drawSquares(x, y, radius: 4, light: [2, 4])
  }

  /// Squares around a centre, as far as they are inside the code. Those with a radius in `light` are light.
  private mutating func drawSquares(_ x: Int, _ y: Int, radius: Int, light: Set<Int>) {
    for dy in -radius...radius {
      for dx in -radius...radius where (0..<size).contains(x + dx) && (0..<size).contains(y + dy) {
        set(x + dx, y + dy, !light.contains(max(abs(dx), abs(dy))))
      }
    }
  }

  /// The level and the mask, twice (§7.9). Level M is 0.
  private mutating func drawFormat(mask: Int) {
    let bits = (mask << 10 | Self.remainder(mask, 0x537, degree: 10)) ^ 0x5412
    for place in 0..<15 {
      let isDark = bits >> place & 1 == 1
      switch place {
      case 0..<6: set(8, place, isDark)
      case 6, 7: set(8, place + 1, isDark)
      case 8: set(7, 8, isDark)
      default: set(14 - place, 8, isDark)
      }
      if place < 8 { set(size - 1 - place, 8, isDark) } else { set(8, size - 15 + place, isDark) }
    }
    set(8, size - 8, true)
  }

  /// The version, twice (§7.10).
  private mutating func drawVersion() {
    guard version >= 7 else { return }
    let bits = version << 12 | Self.remainder(version, 0x1F25, degree: 12)
    for place in 0..<18 {
      let isDark = bits >> place & 1 == 1
      set(size - 11 + place % 3, place / 3, isDark)
      set(place / 3, size - 11 + place % 3, isDark)
    }
  }

  /// The check bits of a BCH code: the remainder of `value · x^degree` divided by the generator.
  private static func remainder(_ value: Int, _ generator: Int, degree: Int) -> Int {
    var result = value
    for _ in 0..<degree { result = result << 1 ^ (result >> (degree - 1)) * generator }
    return result
  }

  // Data

  /// Places the codewords from the lower right corner, in columns of two modules, up and down in turn (§7.7.3).
  private mutating func place(_ codewords: [UInt8]) {
    var bit = 0
    var isUpward = true
    for column in [Int](stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
      for row in 0..<size {
        let y = isUpward ? size - 1 - row : row
        for x in [column, column - 1] where !isReserved[y * size + x] && bit < 8 * codewords.count {
          modules[y * size + x] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
      isUpward.toggle()
    }
  }

  private mutating func chooseMask() {
    let candidates = (0..<8).map { mask in
      let matrix = masked(mask)
      return (matrix: matrix, penalty: matrix.penalty)
    }
    if let best = candidates.min(by: { $0.penalty < $1.penalty }) { self = best.matrix }
  }

  /// The code under a mask (§7.8.2).
  private func masked(_ mask: Int) -> QRMatrix {
    var result = self
    for y in 0..<size {
      for x in 0..<size where !isReserved[y * size + x] && Self.inverts(mask, x, y) {
        result.modules[y * size + x].toggle()
      }
    }
    result.drawFormat(mask: mask)
    return result
  }

  private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  // Penalty

  /// How hard the code is to read (§7.8.3).
  private var penalty: Int {
    var result = 0
    for y in 0..<size {
      result += Self.penalty(of: (0..<size).map { modules[y * size + $0] })
      result += Self.penalty(of: (0..<size).map { modules[$0 * size + y] })
    }
    for y in 0..<size - 1 {
      for x in 0..<size - 1 {
        let corner = modules[y * size + x]
        let others = [y * size + x + 1, (y + 1) * size + x, (y + 1) * size + x + 1]
        if others.allSatisfy({ modules[$0] == corner }) { result += 3 }
      }
    }
    let dark = modules.count(where: \.self)
    return result + abs(20 * dark - 10 * modules.count) / modules.count * 10
  }

  /// Lengths that look like a finder pattern, in modules: dark, light, dark, light, dark.
  private static let finder = [1, 1, 3, 1, 1]

  /// The penalty of a row or column: for runs of five or more modules of a colour, and for what looks like a finder
  /// pattern with four light modules beside it. The quiet zone is light.
  private static func penalty(of line: [Bool]) -> Int {
    var result = 0
    // The lengths of runs, which begin with a light one.
    var runs = [0]
    var isDark = false
    for module in line {
      if module != isDark {
        runs.append(0)
        isDark = module
      }
      runs[runs.count - 1] += 1
    }
    for run in runs where run >= 5 { result += run - 2 }
    if isDark { runs.append(0) }
    runs[0] += 4
    runs[runs.count - 1] += 4
    for start in stride(from: 1, through: runs.count - 6, by: 2)
    where zip(finder, runs[start...]).allSatisfy({ $0 == $1 }) {
      if runs[start - 1] >= 4 || runs[start + 5] >= 4 { result += 40 }
    }
    return result
  }
}

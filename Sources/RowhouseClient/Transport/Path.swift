/// A path below the server's URL. Interpolated values are escaped, so each stays one segment.
struct Path: Sendable, ExpressibleByStringInterpolation {
  let text: String

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 36 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ segment: some CustomStringConvertible) {
      text += Rowhouse.escaped(segment.description)
    }
  }
}

/// An opaque colour of the sRGB space, written `#RRGGBB`.
package struct Tint: Hashable, Sendable, CustomStringConvertible {
  /// Red, green and blue, from the highest to the lowest of three bytes.
  package let rgb: UInt32

  package init(_ rgb: UInt32) { self.rgb = rgb & 0xFF_FFFF }

  /// Reads `#RRGGBB` in either letter case; nil for anything else.
  package init?(text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
      digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
      let rgb = UInt32(Substring(digits), radix: 16)
    else { return nil }
    self.init(rgb)
  }

  package var description: String {
    let digits = String(rgb, radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// The relative luminance, from 0 for black to 1 for white: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
  package var luminance: Double {
    0.2126 * Self.linear(rgb >> 16) + 0.7152 * Self.linear(rgb >> 8 & 0xFF)
      + 0.0722 * Self.linear(rgb & 0xFF)
  }

  /// The contrast ratio of two tints, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
  package func contrast(with other: Tint) -> Double {
    let (lighter, darker) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (lighter + 0.05) / (darker + 0.05)
  }

  private static func linear(_ channel: UInt32) -> Double {
    let value = Double(channel) / 255
    guard value > 0.04045 else { return value / 12.92 }
    let base = (value + 0.055) / 1.055
    // The power of 2.4 without a mathematics library: the square, times the fifth root of the square.
    return base * base * fifthRoot(base * base)
  }

  /// The fifth root by Newton's method, for 0 < value ≤ 1.
  private static func fifthRoot(_ value: Double) -> Double {
    var root = 1.0
    for _ in 0..<40 {
      let power = root * root * root * root
      root -= (root * power - value) / (5 * power)
    }
    return root
  }
}

/// A currency by its code of three letters: https://www.iso.org/iso-4217-currency-codes.html
///
/// Every well-formed code is valid, because new currencies appear.
package struct Currency: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Reads a code in either letter case; nil for anything else.
  package init?(text: String) {
    let code = text.uppercased()
    guard code.utf8.count == 3, text.utf8.count == 3,
      code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    else { return nil }
    description = code
  }
}

extension Currency? {
  /// The code of an inventory's currency. Without one, its values are in US dollars.
  package var code: String { self?.description ?? "USD" }
}

/// The tints of an inventory's bars, buttons and titles, and the currency of its values.
package struct Appearance: Sendable, Hashable {
  package var navigationBar: Tint
  package var toolbar: Tint
  package var tabBar: Tint
  package var button: Tint
  package var title: Tint
  /// Nil: values are in US dollars.
  package var currency: Currency?

  package init(
    navigationBar: Tint, toolbar: Tint, tabBar: Tint, button: Tint, title: Tint,
    currency: Currency? = nil
  ) {
    self.navigationBar = navigationBar
    self.toolbar = toolbar
    self.tabBar = tabBar
    self.button = button
    self.title = title
    self.currency = currency
  }

  /// The default.
  package static let calm = Appearance(
    navigationBar: Tint(0xF4F6F8), toolbar: Tint(0xF4F6F8), tabBar: Tint(0xF4F6F8),
    button: Tint(0x2F5D7C), title: Tint(0x1F2933))

  /// The contrast below which a title is hard to read: https://www.w3.org/TR/WCAG22/#contrast-minimum
  package static let leastContrast = 3.0

  /// A title or button that is hard to read on a bar.
  package struct Warning: Sendable, Equatable {
    /// The member with the tint of the title or button.
    package let member: String
    package let tint: Tint
    /// The member with the tint of the bar.
    package let bar: String
    package let barTint: Tint
    /// With two decimals, rounded down.
    package let contrast: Double
  }

  /// The titles and buttons that are hard to read on their bars.
  package var warnings: [Warning] {
    var found: [Warning] = []
    func check(_ name: String, _ tint: Tint, on bars: [(name: String, tint: Tint)]) {
      for bar in bars where tint.contrast(with: bar.tint) < Self.leastContrast {
        let contrast = Double(Int(tint.contrast(with: bar.tint) * 100)) / 100
        found.append(
          Warning(
            member: name, tint: tint, bar: bar.name, barTint: bar.tint, contrast: contrast))
        return
      }
    }
    let navigationBar = (name: "navigationBar", tint: self.navigationBar)
    check("title", title, on: [navigationBar])
    check(
      "button", button,
      on: [navigationBar, (name: "toolbar", tint: toolbar), (name: "tabBar", tint: tabBar)])
    return found
  }
}

/// An inventory's appearance with its version, which counts changes; 0 before the first.
package struct VersionedAppearance: Sendable, Equatable {
  package var appearance: Appearance
  package var version: Int64

  package init(_ appearance: Appearance = .calm, version: Int64 = 0) {
    self.appearance = appearance
    self.version = version
  }
}

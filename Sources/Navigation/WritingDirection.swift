/// The direction in which a language is written; the raw value is that of HTML's `dir`.
package enum WritingDirection: String, Sendable, CaseIterable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"
}

/// Where an arrow leads.
package enum Step: String, Sendable { case previous, next }

/// What the arrows at the left and at the right mean: the one that points against the direction of
/// writing goes back.
package struct Arrows: Sendable, Equatable {
  package let left: Step
  package let right: Step

  package init(_ direction: WritingDirection) {
    left = direction == .leftToRight ? .previous : .next
    right = direction == .leftToRight ? .next : .previous
  }
}

/// The direction in which a language is written. The raw value is HTML's `dir`.
package enum WritingDirection: String, Sendable, CaseIterable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"
}

/// The direction of an arrow.
package enum Step: String, Sendable { case previous, next }

/// The meanings of the left and right arrows. The one that points against the writing direction goes back.
package struct Arrows: Sendable, Equatable {
  package let left: Step
  package let right: Step

  package init(_ direction: WritingDirection) {
    left = direction == .leftToRight ? .previous : .next
    right = direction == .leftToRight ? .next : .previous
  }
}

import Glibc

/// A progress bar on stderr. Not shown if stderr is not a terminal.
final class ProgressBar {
  private let label: String
  private let isShown = Terminal.isInteractive
  private var last: ContinuousClock.Instant?

  private static let width = 30

  init(_ label: String) { self.label = label }

  func show(_ done: Int, of all: Int) {
    let now = ContinuousClock.now
    guard isShown, all > 0,
      done >= all || last.map({ $0.duration(to: now) > .milliseconds(100) }) ?? true
    else { return }
    last = now
    let filled = min(Self.width, Self.width * done / all)
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    Terminal.put("\r\(label) [\(bar)] \(done)/\(all)", on: STDERR_FILENO)
  }

  func finish() {
    if isShown, last != nil { Terminal.put("\n", on: STDERR_FILENO) }
  }
}

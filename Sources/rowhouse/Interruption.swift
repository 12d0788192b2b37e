import Glibc
import Synchronization

/// A signal that would end a command, noted instead, so that the command can first remove what it has not finished.
enum Interruption {
  /// The number of the signal; 0 if none has come.
  private static let number = Atomic<Int32>(0)

  /// Notes signals from now on. Those that nohup or a shell lets the process ignore stay ignored.
  static func watch() {
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
      Glibc.signal(signal) { Interruption.number.store($0, ordering: .relaxed) }
    }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var present = sigaction()
    guard sigaction(signal, nil, &present) == 0 else { return false }
    // SIG_IGN is a function at the address 1. Swift cannot compare functions.
    return withUnsafeBytes(of: present.__sigaction_handler) { $0.load(as: UInt.self) } == 1
  }

  static var hasCome: Bool { number.load(ordering: .relaxed) != 0 }

  static let failure = Failure(.temporary, "Interrupted.")

  /// Throws `failure` if a signal has come.
  static func check() throws(Failure) {
    guard !hasCome else { throw failure }
  }

  /// Ends the process by the noted signal, if one has come.
  static func takeEffect() {
    let number = number.load(ordering: .relaxed)
    guard number != 0 else { return }
    Glibc.signal(number, SIG_DFL)
    raise(number)
  }
}

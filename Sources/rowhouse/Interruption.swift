import Glibc
import Synchronization

/// A signal that would end a command, noted instead, so that the command can first remove what it has not finished.
enum Interruption {
  /// The number of the signal; 0 if none has come.
  private static let number = Atomic<Int32>(0)

  /// Notes signals from now on.
  static func watch() {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      Glibc.signal(signal) { Interruption.number.store($0, ordering: .relaxed) }
    }
  }

  static var hasCome: Bool { number.load(ordering: .relaxed) != 0 }

  /// Ends the process by the noted signal, if one has come.
  static func takeEffect() {
    let number = number.load(ordering: .relaxed)
    guard number != 0 else { return }
    Glibc.signal(number, SIG_DFL)
    raise(number)
  }
}

import Glibc
import Inventory
import Synchronization

/// What ends the server: a signal, or a database that has failed.
final class StopSignals: Sendable {
  enum Reason: Sendable {
    case asked
    case storageFailed(InventoryError)
  }

  private let reason = Mutex<Reason>(.asked)

  /// Takes the stop signals away from all threads that are made from now on, to be waited for here.
  init() {
    signal(SIGPIPE, SIG_IGN)
    // A file that has reached RLIMIT_FSIZE is an error of that write, and no reason to die.
    signal(SIGXFSZ, SIG_IGN)
    var set = Self.set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  func storageFailed(_ error: InventoryError) {
    reason.withLock { $0 = .storageFailed(error) }
    kill(getpid(), SIGTERM)
  }

  /// Waits for the end; `hangUp` is called at each SIGHUP.
  func wait(hangUp: () -> Void) -> Reason {
    var set = Self.set
    var number: Int32 = 0
    while true {
      sigwait(&set, &number)
      guard number == SIGHUP else { break }
      hangUp()
    }
    return reason.withLock { $0 }
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
    return set
  }
}

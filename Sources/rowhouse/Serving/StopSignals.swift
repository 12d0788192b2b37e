import Dispatch
import Glibc
import Storage
import Synchronization

/// What ends the server: a signal, or a database that has failed.
final class StopSignals: Sendable {
  private let failure = Mutex<StorageFailure?>(nil)

  /// Takes the stop signals away from all threads that are made from now on, to be waited for here.
  init() {
    signal(SIGPIPE, SIG_IGN)
    // A file that has reached RLIMIT_FSIZE is an error of that write, and no reason to die.
    signal(SIGXFSZ, SIG_IGN)
    var set = Self.set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Ends the wait because the database has failed, and says why.
  func storageFailed(_ fault: StorageFailure) {
    failure.withLock { $0 = fault }
    kill(getpid(), SIGTERM)
  }

  /// Ends the wait when stdin ends; what comes by it is not looked at.
  func stopWithInput() {
    DispatchQueue(label: "stdin").async {
      var byte: UInt8 = 0
      var count = 0
      repeat { count = read(STDIN_FILENO, &byte, 1) } while count > 0 || count < 0 && errno == EINTR
      kill(getpid(), SIGTERM)
    }
  }

  /// Why the database has failed, if it has.
  var storageFailure: StorageFailure? { failure.withLock { $0 } }

  /// Waits for the end, and names the signal that brought it; `hangUp` is called at each SIGHUP.
  func wait(hangUp: () -> Void) -> String {
    var set = Self.set
    var number: Int32 = 0
    while true {
      sigwait(&set, &number)
      guard number == SIGHUP else { return number == SIGINT ? "SIGINT" : "SIGTERM" }
      hangUp()
    }
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
    return set
  }
}

import Dispatch
import Glibc
import Storage
import Synchronization

/// What stops the server: a signal, a failure of the database, or the end of stdin.
final class StopSignals: Sendable {
  private let failure = Mutex<StorageFailure?>(nil)

  /// Blocks the stop signals in all threads that start from now on, so that `wait` receives them.
  init() {
    signal(SIGPIPE, SIG_IGN)
    // A write past RLIMIT_FSIZE must fail instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    var set = Self.set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Stores a failure of the database, and ends the wait.
  func storageFailed(_ fault: StorageFailure) {
    failure.withLock { $0 = fault }
    kill(getpid(), SIGTERM)
  }

  /// Ends the wait when stdin ends. Its bytes are ignored.
  func stopWithInput() {
    DispatchQueue(label: "stdin").async {
      var byte: UInt8 = 0
      var count = 0
      repeat { count = read(STDIN_FILENO, &byte, 1) } while count > 0 || count < 0 && errno == EINTR
      kill(getpid(), SIGTERM)
    }
  }

  /// The failure of the database, if any.
  var storageFailure: StorageFailure? { failure.withLock { $0 } }

  /// Waits for a stop, and returns the name of its signal. Calls `hangUp` at each SIGHUP.
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

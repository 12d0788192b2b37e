import Foundation
import Synchronization

/// A program that runs beside the test, with its output in files. It is killed when this value is released.
package final class ChildProcess: Sendable {
  package enum Ending: Sendable, Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  package let pid: pid_t
  private let folder: TemporaryFolder
  private let ending = Mutex<Ending?>(nil)

  /// `environment` is laid over the test's own, which is cleaned of what `rowhouse` would read; of what the test
  /// has open it gets only the descriptor that is `handedDown`.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:],
    handedDown: Int32? = nil
  ) throws {
    folder = try TemporaryFolder()
    var variables = ProcessInfo.processInfo.environment.filter { variable in
      !variable.key.hasPrefix("ROWHOUSE") && !["XDG_DATA_HOME", "NO_COLOR"].contains(variable.key)
    }
    variables["HOME"] = folder.path
    variables.merge(environment) { _, given in given }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    let flags = O_WRONLY | O_CREAT | O_APPEND
    posix_spawn_file_actions_addopen(&actions, 1, folder.file("stdout"), flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, folder.file("stderr"), flags, 0o600)
    for descriptor in Self.inheritable where descriptor != handedDown {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    // The threads of tests block signals, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child = pid_t()
    let code = Self.withCStrings([executable] + arguments) { arguments in
      Self.withCStrings(variables.map { "\($0)=\($1)" }) { environment in
        posix_spawn(&child, executable, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw SystemFault("starting \(executable)", code: code) }
    pid = child
  }

  deinit {
    if ending.withLock({ $0 }) == nil {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }
  }

  package var output: String { text("stdout") }
  package var errors: String { text("stderr") }

  private func text(_ name: String) -> String {
    FileManager.default.contents(atPath: folder.file(name))
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  package func signal(_ number: Int32) { kill(pid, number) }

  /// How it has ended; nil while it runs.
  package func endingIfAny() -> Ending? {
    ending.withLock { ending in
      if ending == nil {
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        // What WIFSIGNALED and WEXITSTATUS do; macros do not reach Swift.
        ending = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
      }
      return ending
    }
  }

  package func waitForEnd(seconds: Double = 600) throws -> Ending {
    try poll("the end of process \(pid)", seconds: seconds) { endingIfAny() }
  }

  /// What is open and would be so in a program that is started: pipes of other tests above all, whose readers wait
  /// for their end.
  private static var inheritable: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }.filter { descriptor in
      let flags = fcntl(descriptor, F_GETFD)
      return descriptor > 2 && flags >= 0 && flags & FD_CLOEXEC == 0
    }
  }

  private static func withCStrings<Value>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

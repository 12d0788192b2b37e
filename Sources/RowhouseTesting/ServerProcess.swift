#if os(macOS)
  import Foundation

  /// A child process with pipes for its stdin and stdout.
  final class ServerProcess: Sendable {
    /// The child's stdout.
    let output: FileHandle
    private let process = Process()
    /// The child's stdin. The system closes it if this process crashes.
    private let input = Pipe()

    init(_ executable: URL, _ arguments: [String], _ environment: [String: String]) throws {
      let output = Pipe()
      self.output = output.fileHandleForReading
      process.executableURL = executable
      process.arguments = arguments
      process.environment = environment
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for the end. Returns the exit status, or the signal that ended it.
    func wait() -> Int32 {
      process.waitUntilExit()
      return process.terminationStatus
    }
  }
#elseif os(Linux)
  import Foundation
  import Synchronization

  /// A child process with pipes for its stdin and stdout.
  ///
  /// Foundation's `Process` reads past the end of the descriptor list on Linux, and may crash with more than a thousand
  /// descriptors (github.com/swiftlang/swift-corelibs-foundation/pull/5472).
  final class ServerProcess: Sendable {
    /// The child's stdout.
    let output: FileHandle
    /// The child's stdin. The system closes it if this process crashes.
    private let input: FileHandle
    private let id: pid_t
    /// The status from waitpid(2); nil before that call.
    private let status = Mutex<Int32?>(nil)

    init(_ executable: URL, _ arguments: [String], _ environment: [String: String]) throws {
      let (input, output) = (Pipe(), Pipe())
      self.input = input.fileHandleForWriting
      self.output = output.fileHandleForReading
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, input.fileHandleForReading.fileDescriptor, 0)
      posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1)
      for descriptor in Self.inheritable {
        posix_spawn_file_actions_addclose(&actions, descriptor)
      }
      var id = pid_t()
      let code = Self.withCStrings([executable.path] + arguments) { arguments in
        Self.withCStrings(environment.map { "\($0)=\($1)" }) { environment in
          posix_spawn(&id, executable.path, &actions, nil, arguments, environment)
        }
      }
      self.id = id
      guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOEXEC) }
      try input.fileHandleForReading.close()
      try output.fileHandleForWriting.close()
    }

    func send(_ signal: Int32) {
      // After waitpid, another process may have this id.
      status.withLock { if $0 == nil { kill(id, signal) } }
    }

    /// Waits for the end. Returns the exit status, or the signal that ended it.
    func wait() -> Int32 {
      let status = status.withLock { status in
        if let status { return status }
        var ended: Int32 = 0
        while waitpid(id, &ended, 0) < 0, errno == EINTR {}
        status = ended
        return ended
      }
      // WIFEXITED and WEXITSTATUS are macros, which Swift cannot call.
      return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }

    /// The open descriptors that the child would inherit but must not.
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
#endif

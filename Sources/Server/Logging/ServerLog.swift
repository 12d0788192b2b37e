import CLinux
import Glibc
import Synchronization
import Threads

/// A log, written by a thread of its own, with a line for each message and, at the levels debug and info, for each
/// request. Lines that arrive faster than they can be written are dropped, and their number is logged.
///
/// It runs until `stop`.
package final class ServerLog: AccessObserver {
  private struct Waiting {
    var records: [AccessRecord] = []
    /// Messages, each with the number of records before it.
    var messages: [(place: Int, message: LogMessage)] = []
    var dropped = 0
    var reopens = false
    var isStopping = false
    /// Whether the thread sleeps until it is woken.
    var isAsleep = false
  }

  /// Milliseconds to wait after the first line, so that one write takes many.
  private static let gathering: Int32 = 50
  /// Bytes of lines written at once.
  private static let batch = 64 << 10

  /// The maximum number of waiting messages. They do not count in `capacity`, because requests must not displace them.
  private static let messageCapacity = 1_000

  private let capacity: Int
  private let format: LogFormat
  private let level: LogLevel
  private let time: any TimeSource
  private let onFailure: @Sendable (ServerError) -> Void
  private let waiting = Mutex(Waiting())
  private let alarm: Descriptor
  private let thread = Mutex<WorkerThread?>(nil)

  /// - Parameters:
  ///   - capacity: the maximum number of waiting records.
  ///   - onFailure: receives the error if the file cannot be reopened.
  package init(
    _ format: LogFormat, to destination: LogDestination, level: LogLevel = .info,
    capacity: Int = 32 << 10,
    time: any TimeSource = SystemTime(),
    onFailure: @escaping @Sendable (ServerError) -> Void = { _ in }
  ) throws(ServerError) {
    self.format = format
    self.level = level
    self.capacity = capacity
    self.time = time
    self.onFailure = onFailure
    let raw = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard raw >= 0 else { throw .failed(call: "eventfd", errno: errno, address: nil) }
    alarm = Descriptor(raw)
    // Opened here, so that a bad path is an error at the start of the server.
    let file = Mutex<LogFile?>(try LogFile(destination))
    let started = try WorkerThread(serving: .normal) { [self] in
      if let file = file.withLock({ $0.take() }) { run(file) }
    }
    thread.withLock { $0 = started }
  }

  package func take(_ records: inout [AccessRecord]) {
    let wakes = waiting.withLock { waiting in
      let room = capacity - waiting.records.count
      if records.count <= room {
        waiting.records.append(contentsOf: records)
      } else {
        waiting.records.append(contentsOf: records.prefix(max(0, room)))
        waiting.dropped += records.count - max(0, room)
      }
      defer { waiting.isAsleep = false }
      return waiting.isAsleep
    }
    records.removeAll(keepingCapacity: records.capacity <= 1024)
    if wakes { wake() }
  }

  /// Whether each request has a line.
  package var tellsOfRequests: Bool { level <= .info }

  /// Writes a message if its level is high enough. Callable from any thread, does not block.
  package func tell(_ level: LogLevel, _ text: String) {
    guard level >= self.level else { return }
    let message = LogMessage(level: level, time: time.millisecondsSince1970(), text: text)
    waiting.withLock { waiting in
      if waiting.messages.count < Self.messageCapacity {
        waiting.messages.append((waiting.records.count, message))
      } else {
        waiting.dropped += 1
      }
    }
    wake()
  }

  /// Reopens the file after the lines that wait now.
  package func reopen() {
    waiting.withLock { $0.reopens = true }
    wake()
  }

  /// Writes the waiting lines and ends the thread. Does not wait for a stuck reader.
  package func stop() {
    waiting.withLock { $0.isStopping = true }
    wake()
    if let thread = thread.withLock({ $0.take() }) { thread.join() }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(alarm.raw, &one, 8)
  }

  private func run(_ opened: consuming LogFile) {
    var file = opened
    var formatter = LogFormatter(format)
    var records: [AccessRecord] = []
    var messages: [(place: Int, message: LogMessage)] = []
    var lines: [UInt8] = []
    var lost = 0
    while true {
      let (reopens, isStopping, dropped) = waiting.withLock { waiting in
        swap(&records, &waiting.records)
        swap(&messages, &waiting.messages)
        defer { (waiting.reopens, waiting.dropped) = (false, 0) }
        waiting.isAsleep =
          records.isEmpty && messages.isEmpty && !waiting.reopens && !waiting.isStopping
          && waiting.dropped == 0
        return (waiting.reopens, waiting.isStopping, waiting.dropped)
      }
      lost += dropped
      var next = messages.startIndex
      for index in 0...records.count {
        while next < messages.endIndex, messages[next].place <= index {
          formatter.append(messages[next].message, to: &lines)
          next += 1
        }
        if index < records.count { formatter.append(records[index], to: &lines) }
        if lines.count >= Self.batch || index == records.count { lost += put(&lines, &file) }
      }
      if lost > 0 {
        formatter.append(dropped: lost, time: time.millisecondsSince1970(), to: &lines)
        // If this line is lost too, it does not add to the number.
        if put(&lines, &file) == 0 { lost = 0 }
      }
      if reopens {
        do throws(ServerError) { try file.reopen() } catch { onFailure(error) }
      }
      let wasIdle = records.isEmpty && messages.isEmpty && !reopens && dropped == 0
      records.removeAll(keepingCapacity: true)
      messages.removeAll()
      if isStopping { return }
      rest(wasIdle ? -1 : Self.gathering)
    }
  }

  /// Writes and empties the lines. Returns the number of lost ones.
  private func put(_ lines: inout [UInt8], _ file: inout LogFile) -> Int {
    guard !lines.isEmpty else { return 0 }
    defer { lines.removeAll(keepingCapacity: true) }
    return file.write(lines) { !waiting.withLock(\.isStopping) }
  }

  /// Waits for a wake-up; without limit if the time is negative.
  private func rest(_ milliseconds: Int32) {
    var waited = pollfd(fd: alarm.raw, events: Int16(POLLIN), revents: 0)
    guard poll(&waited, 1, milliseconds) > 0 else { return }
    var count: UInt64 = 0
    _ = read(alarm.raw, &count, 8)
  }
}

import Dispatch
import HTTP
import Support
import Testing

@testable import API

@Suite("An import waits for the disk, and its loop does not")
struct ImportPressureTests {
  private let queue: SpoolQueue
  private let service: Service
  private let sink = Inbox()
  private let ticket = Ticket(connection: 0, request: 0)
  private let kilobyte = [UInt8](repeating: 0x20, count: 1 << 10)

  init() throws {
    let configured = Support.Awaited<SpoolQueue>()
    service = try Service { configured.fulfill($0.spooling) }
    queue = configured.value
  }

  private func begin() throws -> any BodyReceiver {
    let receiver = try service.receiver(
      "/v1/import", fields: ["Content-Type": "application/x-ndjson"])
    receiver.started(StreamSignal(ticket: ticket, sink: sink))
    return receiver
  }

  /// Gives kilobytes until the client is to wait; how many.
  private func fill(_ receiver: any BodyReceiver) -> Int {
    for count in 1...10_000 {
      if case .wait = receiver.receive(kilobyte.span) { return count }
    }
    return .max
  }

  @Test func `while the disk is busy a quarter of a mebibyte is taken, then the client waits`()
    throws
  {
    let disk = DispatchSemaphore(value: 0)
    queue.run { disk.wait() }
    let receiver = try begin()
    #expect(fill(receiver) == 256)
    #expect(sink.resumptions == 0)
    disk.signal()
    let written = Support.Awaited<Void>()
    queue.run { written.fulfill(()) }
    written.value
    #expect(sink.resumptions == 1)
    if case .respond = receiver.receive(kilobyte.span) { Issue.record("It was answered.") }
  }

  @Test func `the end of a body that is still being written is answered behind it`() throws {
    let disk = DispatchSemaphore(value: 0)
    queue.run { disk.wait() }
    let receiver = try begin()
    _ = receiver.receive(Array("no export".utf8).span)
    guard case .later = receiver.finish(Responder(ticket: ticket, sink: sink)) else {
      disk.signal()
      Issue.record("It was answered before it was read.")
      return
    }
    #expect(sink.answer == nil)
    disk.signal()
    #expect(try sink.wait().status == 422)
  }

  @Test func `many imports wait with less each`() throws {
    let disk = DispatchSemaphore(value: 0)
    queue.run { disk.wait() }
    defer { disk.signal() }
    let receivers = try (0..<64).map { _ in try begin() }
    for receiver in receivers { #expect(fill(receiver) == 64) }
    for receiver in receivers { receiver.brokenOff() }
  }
}

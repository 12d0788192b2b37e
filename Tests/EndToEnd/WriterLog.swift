import Foundation
import JSON
import Support
import Synchronization

/// What one client has written until its server went away.
struct WriterLog: Sendable {
  var model: ListModel
  /// Sent, and never answered.
  var pending: ListModel.Write?
  /// That of the last change; a write that changes nothing names the inventory's, as others left it.
  var revision: Int
  /// Writes that were done.
  var answers = 0
  /// Those that were neither 2xx nor told that the server stops.
  var refusals: [Int] = []

  /// Writes to `list`, one write after another, until nothing answers any more.
  static func write(
    to list: String, _ model: ListModel, seed: UInt64, over server: RunningServer,
    answered: borrowing Atomic<Int>
  ) throws -> WriterLog {
    var random = SplitMix64(seed: seed)
    var log = WriterLog(model: model, revision: 0)
    guard let client = try? server.connect() else { return log }
    while true {
      let write = log.model.randomWrite(&random)
      log.pending = write
      guard let answer = try? log.model.send(write, to: list, over: client) else { return log }
      log.pending = nil
      switch answer.status {
      case 200..<300:
        log.model.apply(write)
        log.answers += 1
        if (answer.at("/changed") ?? answer.at("/receipt/changed")) == .bool(true) {
          log.revision = Int(answer["rowhouse-revision"] ?? "") ?? -1
        }
        answered.add(1, ordering: .relaxed)
      case 503: return log
      default:
        log.refusals.append(answer.status)
        return log
      }
    }
  }
}

/// A count that threads share.
final class AnswerCount: Sendable {
  let value = Atomic<Int>(0)
}

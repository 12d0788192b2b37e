import HTTP
import Inventory
import JSON
import Synchronization

/// Sends the commands of a batch to the store, in order and a few at a time, so that other callers' writes come between
/// them. Answers when all are done, or when the server cannot go on.
final class SyncRun: Sendable {
  private struct State {
    /// The index of the next command to send.
    var next = 0
    var running = 0
    var outcomes: [[UInt8]?]
    /// The bytes of the outcomes.
    var size = 0
    var revision = Revision(0)
    /// The first command that was neither done nor refused.
    var failure: (index: Int, error: InventoryError)?
    /// Whether a thread is passing a command to the store. Only one may do so at a time, because two threads could
    /// change the order of the commands.
    var isSubmitting = false
    var isFinished = false
  }

  /// The most commands that wait in the store at the same time. They may share a commit.
  private static let ahead = 16
  /// When the outcomes have this many bytes, no more commands are sent to the store. The client sends the rest again.
  private static let largestAnswer = 1 << 20

  private let commands: [SyncCommand]
  private let client: SyncClientID
  private let request: RequestContext
  private let store: any Store
  private let state: Mutex<State>

  init(
    of commands: [SyncCommand], _ client: SyncClientID, _ request: RequestContext,
    _ store: any Store
  ) {
    self.commands = commands
    self.client = client
    self.request = request
    self.store = store
    state = Mutex(State(outcomes: Array(repeating: nil, count: commands.count)))
  }

  private enum Step {
    case submit(Int)
    case finish
    case wait
  }

  /// Sends as many commands as may wait now. Called again after each one, on any thread.
  func proceed() {
    var hasSubmitted = false
    while true {
      switch step(hasSubmitted: hasSubmitted) {
      case .submit(let index):
        submit(index)
        hasSubmitted = true
      case .finish: return finish()
      case .wait: return
      }
    }
  }

  /// - Parameter hasSubmitted: whether the calling thread has just passed a command to the store.
  private func step(hasSubmitted: Bool) -> Step {
    // What a client that has left sends again continues behind the last command that was done.
    let isGone = request.requester.isGone()
    return state.withLock { state in
      if hasSubmitted { state.isSubmitting = false }
      guard !state.isSubmitting else { return .wait }
      if state.next < commands.count, state.running < Self.ahead, state.failure == nil,
        state.size < Self.largestAnswer, !isGone
      {
        state.next += 1
        state.running += 1
        state.isSubmitting = true
        return .submit(state.next - 1)
      }
      guard state.running == 0, !state.isFinished else { return .wait }
      state.isFinished = true
      return .finish
    }
  }

  private func submit(_ index: Int) {
    let command = commands[index]
    var context = WriteContext(
      caller: request.caller, requestID: request.context.requestID, bodySize: command.size)
    // The store refuses a number that leaves a gap, and one behind a command that it does not know. So nothing is done
    // behind a command that failed.
    context.sync = SyncStep(
      client: client, number: command.number, first: commands[0].number, digest: command.digest,
      previous: index > 0 ? commands[index - 1].digest : nil
    ) { [context = request.context] in command.encode($0, for: context) }
    store.submit(command.command, context) { [self] result in
      completed(index, result)
      proceed()
    }
  }

  private func completed(_ index: Int, _ result: Result<Outcome, InventoryError>) {
    state.withLock { state in
      state.running -= 1
      switch result {
      case .success(let outcome):
        let bytes = outcome.kept?.bytes ?? []
        state.outcomes[index] = bytes
        state.size += bytes.count
        state.revision = max(state.revision, outcome.receipt.revision)
      case .failure(let error):
        if state.failure.map({ index < $0.index }) ?? true { state.failure = (index, error) }
      }
    }
  }

  private func finish() {
    let (outcomes, size, revision, failure) = state.withLock { state in
      (
        state.outcomes.prefix { $0 != nil }.compactMap(\.self), state.size, state.revision,
        state.failure?.error
      )
    }
    let problem = failure.map(Problem.init)
    guard let problem, outcomes.isEmpty else {
      var response = request.context.object(capacity: size + 1_024) { writer in
        writer.member("clientId", client)
        writer.member("revision", revision.number)
        writer.array("outcomes", outcomes) { $0.raw($1) }
        writer.key("problem")
        if let problem { writer.raw(request.context.body(of: problem)) } else { writer.null() }
      }
      response.fields.append("Rowhouse-Revision", String(revision.number))
      return request.send(response)
    }
    request.send(request.context.response(problem))
  }
}

import Foundation

/// Sending commands and photos, one batch and one photo at a time.
extension OfflineStore {
  /// The job of sending the next commands. If the server may already have some, these are sent again first, with the
  /// same numbers.
  func nextBatch() -> OfflineJob? {
    guard refusal == nil else { return nil }
    let unanswered = queue.filter { !$0.isDone }
    let sent = unanswered.filter { $0.sequence != nil }
    if sent.isEmpty { mostAtOnce = SyncCommand.maximumCount }
    let ready = unanswered.prefix { command in
      !(command.intent.mayRefusePhotos && photos.contains { $0.behind < command.id })
    }
    let batch = Self.prefix(of: sent.isEmpty ? Array(ready) : sent, most: mostAtOnce)
    guard !batch.isEmpty else { return nil }
    if sent.isEmpty {
      do throws(OfflineError) { try number(batch) } catch {
        return { { _ in .seconds(10) } }
      }
    }
    let commands = queue.filter { command in batch.contains { $0.id == command.id } }
    let numbered = commands.compactMap { command in
      command.sequence.map { SyncCommand($0, command.intent) }
    }
    return { [rowhouseOnce, client] in
      let result = await outcome { () async throws(RowhouseError) in
        try await rowhouseOnce.sync(numbered, as: client)
      }
      return { store in store.take(result, for: commands.map(\.id)) }
    }
  }

  private static func prefix(of commands: [QueuedCommand], most: Int) -> [QueuedCommand] {
    var size = 0
    return Array(
      commands.prefix(most).prefix {
        size += $0.size + 32
        return size <= QueuedCommand.largestSize + 32
      })
  }

  /// Numbers the commands, and stores the numbers before the commands are sent. A retry then has the same numbers.
  private func number(_ batch: [QueuedCommand]) throws(OfflineError) {
    let first = nextSequence
    try store { file throws(OfflineDatabase.Failure) in
      for (index, command) in batch.enumerated() {
        try file.set(.sent(sequence: first + index), of: command.id)
      }
      try file.set(.sequence, to: "\(first + batch.count)")
    }
    nextSequence = first + batch.count
    firstSent = Set(batch.map(\.id))
    revisionSeen = max(revision ?? 0, reading.position ?? 0)
    var number = first
    for index in queue.indices where firstSent.contains(queue[index].id) {
      queue[index].state = .sent(sequence: number)
      number += 1
    }
    changed()
  }

  /// - Returns: The time to wait before the next batch.
  private func take(
    _ result: Result<SyncAnswer, RowhouseError>, for batch: [Int]
  ) -> Duration? {
    let isFirst = !firstSent.isEmpty
    firstSent = []
    switch result {
    case .success(let answer):
      do throws(OfflineError) { try take(answer, isFirst: isFirst) } catch {
        // The outcomes come again.
        return pauseAfterFailure(of: .commands)
      }
      if let problem = answer.problem {
        let error = RowhouseError.refused(problem)
        if error.code == .sequenceGap { return beginAnew() }
        guard error.mayPass else { return stopSending(error) }
      }
      // The server could not go on.
      return answer.outcomes.isEmpty ? pauseAfterFailure(of: .commands) : nil
    case .failure(let error) where error.code == .sequenceGap: return beginAnew()
    case .failure(let error) where error.mayPass: return pauseAfterFailure(of: .commands)
    case .failure(.cancelled): return pauseAfterFailure(of: .commands)
    case .failure(let error) where error.tellsOfUnreadBatch && batch.count > 1:
      // One of the commands is the reason. The next batches find it.
      mostAtOnce = (batch.count + 1) / 2
      return nil
    case .failure(.refused(let problem)) where RowhouseError.refused(problem).tellsOfUnreadBatch:
      do throws(OfflineError) { try refuse(batch[0], problem) } catch {
        return pauseAfterFailure(of: .commands)
      }
      return nil
    case .failure(let error): return stopSending(error)
    }
  }

  /// Notes the refusal of a command that the server could not read. The server has used neither its number nor those of
  /// the commands behind it, which get new ones.
  private func refuse(_ id: Int, _ problem: Problem) throws(OfflineError) {
    guard let index = queue.firstIndex(where: { $0.id == id }), let number = queue[index].sequence
    else { return }
    var problem = problem
    for index in (problem.errors ?? []).indices {
      problem.errors?[index].pointer?.replace("/commands/0", with: "", maxReplacements: 1)
    }
    var after = queue
    let notice = OfflineNotice(
      after.remove(at: index),
      SyncOutcome(sequence: number, outcome: .refused, problem: problem))
    try store { file throws(OfflineDatabase.Failure) in
      try file.write(notice, isDismissed: false)
      try file.set(nil, of: id)
      try file.set(.sequence, to: "\(number)")
      try letWait(file, &after)
      try file.forgetOldNotices()
    }
    (queue, nextSequence) = (after, number)
    notices.append(notice)
    settle()
    kick(.photos)
  }

  /// Sends again, as a new client, what has no outcome. Either the server has lost commands, and so maybe others' changes
  /// too, or a copy of this folder has used the numbers.
  private func beginAnew() -> Duration? {
    var after = queue
    do throws(OfflineError) {
      try store { file throws(OfflineDatabase.Failure) in try becomeNewClient(file, &after) }
    } catch { return pauseAfterFailure(of: .commands) }
    queue = after
    beginResync(at: 0)
    return nil
  }

  private func stopSending(_ error: RowhouseError) -> Duration? {
    refusal = error
    changed()
    return .seconds(3_600)
  }

  /// Stores the outcomes and what follows from them in one transaction.
  private func take(_ answer: SyncAnswer, isFirst: Bool) throws(OfflineError) {
    var after = queue
    var new: [OfflineNotice] = []
    try store { file throws(OfflineDatabase.Failure) in
      // This folder is a copy of an older one, whose client has sent other commands with these numbers. No outcome
      // counts, and all commands are sent again.
      if isFirst, answer.outcomes.contains(where: isOld) {
        return try becomeNewClient(file, &after)
      }
      for outcome in answer.outcomes {
        guard let index = after.firstIndex(where: { $0.sequence == outcome.sequence }) else {
          continue
        }
        let command = after[index]
        let notice = OfflineNotice(command, outcome)
        let isNews = [.refused, .overwrote, .merged].contains(outcome.outcome)
        try file.write(notice, isDismissed: !isNews)
        if isNews { new.append(notice) }
        if notice.isRefused {
          try file.set(nil, of: command.id)
          after.remove(at: index)
        } else {
          after[index].state = .done(revision: outcome.revision ?? answer.revision)
          try file.set(after[index].state, of: command.id)
        }
      }
      try file.forgetOldNotices()
    }
    queue = after
    notices += new
    settle()
    kick(.photos)
  }

  /// Whether the outcome belongs to another command with the same number. A new change has a later revision than any
  /// that was seen before.
  private func isOld(_ outcome: SyncOutcome) -> Bool {
    outcome.outcome == .repeated || outcome.revision.map { $0 <= revisionSeen } == true
  }

  /// Takes a new client id. The commands that were sent wait again, and get new numbers from 1 on.
  private func becomeNewClient(
    _ file: OfflineFile, _ queue: inout [QueuedCommand]
  ) throws(OfflineDatabase.Failure) {
    (client, nextSequence) = (SyncClient.ID(rawValue: UUID().uuidString), 1)
    try file.set(.client, to: client.rawValue)
    try file.set(.sequence, to: "1")
    try letWait(file, &queue)
  }

  /// Lets the commands that were sent wait for new numbers.
  private func letWait(
    _ file: OfflineFile, _ queue: inout [QueuedCommand]
  ) throws(OfflineDatabase.Failure) {
    for index in queue.indices where queue[index].sequence != nil {
      queue[index].state = .waiting
      try file.set(.waiting, of: queue[index].id)
    }
  }

  /// Removes the commands whose effect is in the base. A command that creates a list stays until the base has the list
  /// with its rows.
  func settle() {
    guard let revision else { return refresh() }
    let settled = queue.filter { command in
      guard command.isSettled(at: revision) else { return false }
      guard case .createList = command.intent, let list = command.intent.created else {
        return true
      }
      if base.nodes[list] != nil || reading.gone.contains(list) { return true }
      if reading.lists[list] == nil, reading.current != list, reading.ahead[list] == nil {
        want(list, .keep)
      }
      return false
    }
    let ids = Set(settled.map(\.id))
    queue.removeAll { ids.contains($0.id) }
    unsaved.settled.formUnion(ids)
    if !ids.isEmpty { saveSoon() }
    refresh()
  }

  // MARK: Photos

  /// The job of sending the first photo, if the commands before it are answered.
  func nextPhoto() -> OfflineJob? {
    let unanswered = queue.first { !$0.isDone }?.id ?? .max
    guard refusal == nil, let photo = photos.first, photo.behind < unanswered else { return nil }
    let source = file(of: photo)
    return { [rowhouseOnce] in
      let result = await outcome { () async throws(RowhouseError) in
        let bytes: Data
        do { bytes = try Data(contentsOf: source) } catch {
          throw RowhouseError.file(underlying: error)
        }
        let added = try await rowhouseOnce.addPhoto(
          bytes, to: photo.item, id: photo.id, key: photo.id.rawValue)
        // Nothing depends on renditions, so nothing waits for them and they are sent once.
        Task.detached(priority: .utility) {
          try? await rowhouseOnce.addRenditions(of: bytes, as: photo.id, in: photo.item)
        }
        return added
      }
      return { store in store.take(result, for: photo) }
    }
  }

  private func take(
    _ result: Result<Written<Photo>, RowhouseError>, for photo: OfflinePhoto
  ) -> Duration? {
    do throws(OfflineError) {
      switch result {
      case .success:
        try remove(photo)
        want(item: RowKey(photo.item))
      case .failure(.refused(let problem)) where !RowhouseError.refused(problem).mayPass:
        if problem.status == 401 || problem.code == .roleForbids {
          return stopSending(.refused(problem))
        }
        let title = view.items[RowKey(photo.item)]?.rowTitle
        let notice = OfflineNotice(
          photo, titled: title ?? view.rows[RowKey(photo.item)]?.title ?? "", problem)
        try store { file throws(OfflineDatabase.Failure) in
          try file.write(notice, isDismissed: false)
          try file.remove(photo)
        }
        notices.append(notice)
        forget(photo)
      // A locked phone may not let its files be read.
      case .failure: return pauseAfterFailure(of: .photos)
      }
    } catch { return pauseAfterFailure(of: .photos) }
    changed()
    return nil
  }

  /// Removes a photo that need not be sent any more.
  func remove(_ photo: OfflinePhoto) throws(OfflineError) {
    try store { file throws(OfflineDatabase.Failure) in try file.remove(photo) }
    try? FileManager.default.removeItem(at: file(of: photo))
    forget(photo)
  }

  private func forget(_ photo: OfflinePhoto) {
    photos.removeAll { $0.number == photo.number }
    // Some wait for photos.
    kick(.commands)
  }
}

import Foundation

/// The connection of a store, and what waits to be sent.
public struct OfflineStatus: Sendable {
  public var connection: Connection
  /// The reason why the server takes no commands, if it refuses them all. They stay in the queue until
  /// ``OfflineStore/retryNow()`` succeeds.
  public var refusal: RowhouseError?
  /// The commands that the server has not answered, the oldest first.
  public var waiting: [OfflineEntry]
  /// The photos that wait to be sent, the oldest first.
  public var photos: [OfflinePhoto]

  public enum Connection: Sendable {
    case connecting
    case online
    /// Without a network. The store tries again.
    case offline
    /// The error is nil before ``OfflineStore/start()`` and after ``OfflineStore/stop()``.
    case stopped(OfflineError?)
  }
}

/// A command in the queue.
public struct OfflineEntry: Sendable, Identifiable, Hashable {
  /// The store gives it to no other command.
  public let id: Int
  public let intent: SyncCommand.Intent
  /// The title of the row at the time of the command.
  public let title: String
  public let date: Date
  /// Whether the server may have it already.
  public let isSent: Bool

  init(_ command: QueuedCommand) {
    id = command.id
    intent = command.intent
    title = command.title
    date = command.date
    isSent = command.state != .waiting
  }

  /// The row that it creates or changes. Of a move, the first one.
  public var row: Row.ID? {
    switch intent {
    case .createList(let members, _, _), .createItem(let members, _, _):
      members["id"]?.text.map { Row.ID(rawValue: $0) }
    case .editList(let id, _, _): Row.ID(id)
    case .editItem(let id, _, _): Row.ID(id)
    case .moveRows(let rows, _, _): rows.first
    case .delete(let row, _), .restore(let row, _, _): row
    }
  }
}

/// A photo that waits to be sent, or was refused. ``OfflineStore/file(of:)`` has its bytes.
public struct OfflinePhoto: Codable, Sendable, Identifiable, Hashable {
  let number: Int
  public let id: Photo.ID
  public let item: Item.ID
  /// The command after which it is sent.
  let behind: Int
  public let date: Date
}

/// A command or a photo with an outcome that the person should see: it was refused, has replaced what others had
/// written, or met other changes.
public struct OfflineNotice: Codable, Sendable, Identifiable, Hashable {
  /// That of the ``OfflineEntry``; negative for a photo.
  public let id: Int
  private let command: SyncCommand?
  public let photo: OfflinePhoto?
  /// The title of the row at the time of the command.
  public let title: String
  public let date: Date
  public let outcome: SyncOutcome

  /// The command with all it contained; nil for a photo.
  public var intent: SyncCommand.Intent? { command?.intent }
  public var isRefused: Bool { outcome.outcome == .refused }

  init(_ command: QueuedCommand, _ outcome: SyncOutcome) {
    id = command.id
    self.command = SyncCommand(outcome.sequence, command.intent)
    photo = nil
    title = command.title
    date = command.date
    self.outcome = outcome
  }

  init(_ photo: OfflinePhoto, titled title: String, _ problem: Problem) {
    id = -photo.number
    command = nil
    self.photo = photo
    self.title = title
    date = photo.date
    outcome = SyncOutcome(sequence: 0, outcome: .refused, problem: problem)
  }
}

/// An error of an offline store.
public enum OfflineError: Error, Sendable {
  /// The folder has the data of another server, another inventory, or another part of the inventory. Use a folder of
  /// its own.
  case otherData
  /// Another store has the folder open.
  case inUse
  /// The folder cannot be read or written.
  case storage(message: String)
  /// The store does not have this row, list or item.
  case unknown(Row.ID)
  /// The command or the file is larger than the server takes.
  case tooLarge
  /// The command cannot be undone: the server has not answered yet, has refused it, or nothing had to be changed.
  case notUndoable
  /// The store was not started, was stopped, or was erased by ``OfflineStore/signOut()``.
  case stopped
  /// The call needs the network or the server's permission.
  case server(RowhouseError)

  init(_ error: any Error) {
    switch error {
    case let error as OfflineError: self = error
    case let error as RowhouseError: self = .server(error)
    case let error as OfflineDatabase.Failure:
      self = error.isBusy ? .inUse : .storage(message: error.message)
    default: self = .storage(message: error.localizedDescription)
    }
  }
}

extension OfflineError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .otherData: "This folder has the data of another server or inventory."
    case .inUse: "Another program has the offline data open."
    case .storage(let message): "The offline data cannot be stored: \(message)"
    case .unknown(let row): "There is no row \(row) on this device."
    case .tooLarge: "This is larger than the server takes."
    case .notUndoable: "This cannot be undone."
    case .stopped: "The offline store is stopped."
    case .server(let error): error.localizedDescription
    }
  }
}

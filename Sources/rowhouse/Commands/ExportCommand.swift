import API
import Glibc
import Inventory
import Storage

enum ExportCommand: Subcommand {
  static let name = "export"
  static let summary =
    "Write everything in a database to a file, or to stdout, to be imported again."
  static let options = [Option.database]
  static let operands = ["[FILE]"]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let store = try SynchronousStore(path: try DataFolder.existingDatabase(options))
    defer { store.close() }
    let spool: Spool
    do throws(InventoryError) {
      spool = try store.read { (snapshot, caller) throws(InventoryError) in
        let counts = try snapshot.counts(for: caller)
        let all = counts.lists + counts.items
        var bar = ProgressBar("exporting")
        let spool = try Export.spool(
          .root, from: snapshot, for: caller, in: SpoolRoom(limit: .max)
        ) { done in
          if done % 1_000 == 0 { bar.show(done, of: all) }
        }
        bar.show(all, of: all)
        bar.finish()
        return spool
      }
    } catch { throw Failure(ExitCode(error), "Exporting failed: \(error)") }
    try write(spool, to: options.operands.first)
    return .success
  }

  /// A file appears whole or not at all.
  private static func write(_ spool: Spool, to path: String?) throws(Failure) {
    guard let path, path != "-" else { return try copy(spool, to: STDOUT_FILENO, "stdout") }
    let draft = path + ".part"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(.cannotCreate, "Cannot make \(draft): \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    do throws(Failure) {
      try copy(spool, to: descriptor, draft)
    } catch {
      unlink(draft)
      throw error
    }
    guard fsync(descriptor) == 0, rename(draft, path) == 0 else {
      let cause = String(cString: strerror(errno))
      unlink(draft)
      throw Failure(.inputOutput, "Cannot write \(path): \(cause).")
    }
    Terminal.say("\(path): \(spool.count) bytes")
  }

  private static func copy(
    _ spool: Spool, to descriptor: Int32, _ name: String
  ) throws(Failure) {
    var offset = 0
    var piece: [UInt8] = []
    while offset < spool.count {
      piece.removeAll(keepingCapacity: true)
      do throws(Spool.Failure) { try spool.read(at: offset, limit: 1 << 18, into: &piece) } catch {
        throw Failure(.inputOutput, "Reading the export failed: \(error).")
      }
      var sent = 0
      while sent < piece.count {
        let count = piece.withUnsafeBytes {
          Glibc.write(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent)
        }
        guard count > 0 else {
          if errno == EINTR { continue }
          throw Failure(
            .inputOutput, "Cannot write to \(name): \(String(cString: strerror(errno))).")
        }
        sent += count
      }
      offset += piece.count
    }
  }
}

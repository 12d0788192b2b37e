import Storage

enum CheckCommand: Subcommand {
  static let name = "check"
  static let summary = "Check a database for damage. Exits with 1 if there is any."
  static let options = [
    Option.database,
    Option(
      "repair-counts", .onOff,
      "First recompute stored counts, such as the rows of lists. Repairs nothing else."),
  ]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let database = try DataFolder.database(options)
    let path = Database.name(database)
    if options.isOn("repair-counts") {
      let repaired: [String]
      do throws(StoreOpeningError) { repaired = try Database.repairCounts(path: database) } catch {
        throw Failure(error)
      }
      for sentence in repaired { Terminal.say("repaired: \(sentence)") }
      if repaired.isEmpty { Terminal.say("\(path): all stored counts are right") }
    }
    let bar = ProgressBar("checking")
    var notes: [String] = []
    let findings: [String]
    do throws(StoreOpeningError) {
      findings = try Database.check(
        path: database, progress: { done, all in bar.show(done, of: all) },
        note: { notes.append($0) })
    } catch {
      switch error {
      case .damaged(let path, let what):
        throw Failure(.badData, "\(path) is damaged: \(what). \(Remedy.bringBack(orReplace: path))")
      case .migration(.notADatabase(let path)):
        throw Failure(
          .badData,
          "\(path) is not a database, or is damaged. \(Remedy.bringBack(orReplace: path))")
      default: throw Failure(error)
      }
    }
    bar.finish()
    for note in notes { Terminal.note(note) }
    for finding in findings { Terminal.say(finding) }
    Terminal.say(
      findings.isEmpty
        ? "\(path): no damage found"
        : "\(path): damaged. \(Remedy.bringBack(orReplace: path))")
    return findings.isEmpty ? .success : .findings
  }
}

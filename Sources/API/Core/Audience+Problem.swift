import Inventory
import JSON

extension Audience {
  /// A problem as RFC 9457 has it, with `code`, `errors` where fields are at fault, and what else
  /// its kind has.
  func body(of problem: Problem) -> [UInt8] {
    var writer = JSONWriter(capacity: 512)
    writer.beginObject()
    writeHead(
      to: &writer, code: problem.code.rawValue, title: language.texts.title(problem.code),
      status: problem.status, detail: detail(of: problem))
    if !problem.faults.isEmpty {
      writer.key("errors")
      writer.beginArray()
      for fault in problem.faults { writer.fault(fault) }
      writer.endArray()
    }
    for member in problem.extensions { write(member, to: &writer) }
    writer.endObject()
    return writer.finish()
  }

  /// What went wrong this time, in the audience's language. Where that is not English, it is what the code means;
  /// what is special about this time is told by the other members.
  private func detail(of problem: Problem) -> String {
    language == .english ? problem.detail : language.texts.explanation(problem.code)
  }

  /// The languages of a problem: what is wrong with each member, parameter or line is told in English.
  func languages(of problem: Problem) -> String {
    language == .english || !problem.hasFaults
      ? language.rawValue : "\(language.rawValue), \(Language.english.rawValue)"
  }

  /// A problem of the server's own, whose code the application does not know.
  func body(code: String, status: Int, detail: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writeHead(
      to: &writer, code: code, title: ProblemPage.title(of: code), status: status, detail: detail)
    writer.endObject()
    return writer.finish()
  }

  private func writeHead(
    to writer: inout JSONWriter, code: String, title: String, status: Int, detail: String
  ) {
    writer.key("type")
    writer.string(base.path("/problems/" + code))
    writer.key("title")
    writer.string(title)
    writer.key("status")
    writer.int(status)
    writer.key("detail")
    writer.string(detail.withoutTokens)
    writer.key("instance")
    writer.string(isUUID ? "urn:uuid:" + requestID : requestID)
    writer.key("code")
    writer.string(code)
    writer.key("dir")
    writer.string(language.texts.direction.rawValue)
  }

  private var isUUID: Bool { RowID(text: requestID) != nil }

  private func write(_ member: Problem.Extension, to writer: inout JSONWriter) {
    switch member {
    case .index(let index):
      writer.key("index")
      writer.int(index?.value)
    case .count(let count):
      writer.key("count")
      writer.int(count)
    case .limit(let limit):
      writer.key("limit")
      writer.int(limit)
    case .delta(let delta):
      writer.key("delta")
      writer.delta(delta, for: self)
    case .current(let item):
      writer.key("current")
      writer.item(item)
    case .inventory(let inventory):
      writer.key("inventory")
      writer.inventory(inventory)
    case .rows(let missing, let unknown, let duplicate):
      writer.key("missing")
      writer.ids(missing)
      writer.key("unknown")
      writer.ids(unknown)
      writer.key("duplicate")
      writer.ids(duplicate)
    case .candidates(let steps):
      writer.key("candidates")
      writer.path(steps)
    case .trashID(let row):
      writer.key("trashId")
      writer.id(row)
    case .undoConflicts(let conflicts):
      writer.key("conflicts")
      writer.beginArray()
      for conflict in conflicts {
        writer.beginObject()
        writer.key("id")
        writer.id(conflict.id)
        writer.key("reason")
        writer.string(conflict.reason.rawValue)
        writer.endObject()
      }
      writer.endArray()
    case .revision(let revision):
      writer.key("revision")
      writer.int(revision.number)
    case .list(let list):
      writer.key("listId")
      writer.id(list)
    case .item(let item):
      writer.key("itemId")
      writer.id(item)
    case .row(let row):
      writer.key("id")
      writer.id(row)
    case .version(let version):
      writer.key("version")
      writer.int(version)
    case .tabs(let missing, let unknown, let duplicate):
      writer.key("missing")
      writer.tabs(missing)
      writer.key("unknown")
      writer.tabs(unknown)
      writer.key("duplicate")
      writer.tabs(duplicate)
    case .line(let line):
      writer.key("line")
      writer.int(line)
    case .lines(let faults):
      writer.key("lines")
      writer.beginArray()
      for fault in faults { writer.lineFault(fault) }
      writer.endArray()
    case .conflicts(let conflicts):
      writer.key("conflicts")
      writer.beginArray()
      for conflict in conflicts { writer.conflict(conflict) }
      writer.endArray()
    }
  }
}

extension JSONWriter {
  fileprivate mutating func lineFault(_ fault: LineFault) {
    beginObject()
    key("line")
    int(fault.line)
    if let place = fault.place {
      key(place.name)
      string(place.text.withoutTokens)
    }
    key("detail")
    string(fault.detail.withoutTokens)
    endObject()
  }

  fileprivate mutating func conflict(_ conflict: LineConflict) {
    beginObject()
    key("line")
    int(conflict.line)
    key("id")
    id(conflict.id)
    key("reason")
    string(conflict.reason.rawValue)
    key("detail")
    string(conflict.reason.sentence)
    endObject()
  }

  fileprivate mutating func fault(_ fault: Fault) {
    beginObject()
    switch fault.place {
    case .member(let path):
      key("pointer")
      string(JSONPointer(tokens: path).text.withoutTokens)
    case .parameter(let name):
      key("parameter")
      string(name.withoutTokens)
    }
    key("detail")
    string(fault.detail.withoutTokens)
    endObject()
  }
}

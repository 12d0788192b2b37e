import HTTP
import Inventory
import JSON

extension ResponseContext {
  /// The body of a problem (RFC 9457), with `code`, `errors` for single fields, and the extension members of
  /// its kind.
  func body(of problem: Problem) -> [UInt8] {
    body(
      code: problem.code.rawValue, title: language.texts.title(problem.code),
      status: problem.status, detail: detail(of: problem)
    ) { writer in
      if !problem.faults.isEmpty {
        writer.objects("errors", problem.faults) { $0.faultMembers($1) }
      }
      for member in problem.extensions { write(member, to: &writer) }
    }
  }

  /// The detail in the context's language. Languages other than English explain the code only; the other members
  /// describe the occurrence.
  private func detail(of problem: Problem) -> String {
    language == .english ? problem.detail : language.texts.explanation(problem.code)
  }

  /// The languages of a problem's body. Errors of single members, parameters and lines are always in English.
  func languages(of problem: Problem) -> String {
    language == .english || !problem.hasFaults
      ? language.rawValue : "\(language.rawValue), \(Language.english.rawValue)"
  }

  /// The body of a problem that the HTTP server reports, with its own code.
  func body(of fault: RequestFault, _ title: String, _ detail: String) -> [UInt8] {
    body(code: fault.code, title: title, status: fault.status, detail: detail) { _ in }
  }

  private func body(
    code: String, title: String, status: Int, detail: String,
    _ writeOthers: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    let isUUID = RowID(text: requestID) != nil
    return JSONWriter.bytes { writer in
      writer.object { writer in
        writer.member("type", base.path("/problems/" + code))
        writer.member("title", title)
        writer.member("status", status)
        writer.member("detail", detail.withoutTokens)
        writer.member("instance", isUUID ? "urn:uuid:" + requestID : requestID)
        writer.member("code", code)
        writer.member("dir", language.texts.direction.rawValue)
        writeOthers(&writer)
      }
    }
  }

  private func write(_ member: Problem.Extension, to writer: inout JSONWriter) {
    switch member {
    case .index(let index):
      writer.member("index", index?.value)
    case .count(let count):
      writer.member("count", count)
    case .limit(let limit):
      writer.member("limit", limit)
    case .delta(let delta):
      writer.object("delta") { $0.deltaMembers(delta, for: self) }
    case .current(let item):
      writer.object("current") { $0.itemMembers(item) }
    case .inventory(let inventory):
      writer.object("inventory") { $0.inventoryMembers(inventory) }
    case .rows(let missing, let unknown, let duplicate):
      writer.member("missing", missing)
      writer.member("unknown", unknown)
      writer.member("duplicate", duplicate)
    case .candidates(let steps):
      writer.path("candidates", steps)
    case .trashID(let row):
      writer.member("trashId", row)
    case .undoConflicts(let conflicts):
      writer.objects("conflicts", conflicts) { writer, conflict in
        writer.member("id", conflict.id)
        writer.member("reason", conflict.reason.rawValue)
      }
    case .revision(let revision):
      writer.member("revision", revision.number)
    case .list(let list):
      writer.member("listId", list)
    case .item(let item):
      writer.member("itemId", item)
    case .row(let row):
      writer.member("id", row)
    case .version(let version):
      writer.member("version", version)
    case .lastSequence(let number):
      writer.member("lastSequence", number)
    case .tabs(let missing, let unknown, let duplicate):
      writer.tabs("missing", missing)
      writer.tabs("unknown", unknown)
      writer.tabs("duplicate", duplicate)
    case .line(let line):
      writer.member("line", line)
    case .lines(let faults):
      writer.objects("lines", faults) { $0.faultMembers($1) }
    case .fields(let names):
      writer.array("fields", names) { $0.string($1) }
    case .conflicts(let conflicts):
      writer.objects("conflicts", conflicts) { writer, conflict in
        writer.member("line", conflict.line)
        writer.member("id", conflict.id)
        writer.member("reason", conflict.reason.rawValue)
        writer.member("detail", conflict.sentence)
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func faultMembers(_ fault: FieldError) {
    if let line = fault.line {
      member("line", line)
    }
    switch fault.place {
    case .member(let path):
      member("pointer", JSONPointer(tokens: path).text.withoutTokens)
    case .parameter(let name):
      member("parameter", name.withoutTokens)
    case .column(let name):
      member("column", name.withoutTokens)
    case nil: break
    }
    member("detail", fault.detail.withoutTokens)
  }
}

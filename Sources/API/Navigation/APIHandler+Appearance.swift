import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `GET /v1/appearance`
  func appearance(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let appearance = try snapshot.appearance()
      return request.response(tagged: request.context.tag(Revision(appearance.version))) {
        $0.appearance(appearance, in: request.context.language)
      }
    }
  }

  /// `PUT /v1/appearance`: omitted members get the colours of the calm scheme, and no currency.
  /// Unreadable titles are not refused; the response has warnings.
  func setAppearance(_ request: RequestContext) throws(Problem) -> Reply {
    let appearance = try request.input(Appearance.members, readOnly: Appearance.readOnly) {
      Appearance($1)
    }
    return try write(.setAppearance(appearance), showing: .resource, request)
  }
}

extension Appearance {
  static let members = ["navigationBar", "toolbar", "tabBar", "button", "title", "currency"]
  /// Members of responses that writes ignore.
  static let readOnly = ["version", "warnings"]

  /// Omitted members get the colours of the calm scheme, and no currency.
  init(_ members: Members) {
    func tint(_ name: String, _ standard: Tint) -> Tint {
      members.value(name, "Send a colour, such as #2F5D7C.") { value in
        value.text.flatMap { Tint(text: $0) }
      } ?? standard
    }
    let calm = Appearance.calm
    self.init(
      navigationBar: tint("navigationBar", calm.navigationBar),
      toolbar: tint("toolbar", calm.toolbar), tabBar: tint("tabBar", calm.tabBar),
      button: tint("button", calm.button), title: tint("title", calm.title),
      currency: members.value(
        "currency", "Send a currency's code of three letters, such as EUR."
      ) { value in value.text.flatMap { Currency(text: $0) } })
  }
}

extension JSONWriter {
  mutating func appearance(_ versioned: VersionedAppearance, in language: Language) {
    object { writer in
      writer.appearanceMembers(versioned.appearance)
      writer.objects("warnings", versioned.appearance.warnings) { writer, warning in
        writer.member("pointer", JSONPointer(tokens: [warning.member]).text)
        writer.member("detail", language.texts.hardToRead(warning))
      }
      writer.member("version", versioned.version)
    }
  }

  /// Writes the members that people edit.
  mutating func appearanceMembers(_ appearance: Appearance) {
    member("navigationBar", appearance.navigationBar.description)
    member("toolbar", appearance.toolbar.description)
    member("tabBar", appearance.tabBar.description)
    member("button", appearance.button.description)
    member("title", appearance.title.description)
    member("currency", appearance.currency?.description)
  }
}

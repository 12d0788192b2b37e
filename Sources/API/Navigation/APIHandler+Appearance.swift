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
        $0.appearance(appearance)
      }
    }
  }

  /// `PUT /v1/appearance`: omitted members get the colours of the calm scheme, and no currency.
  /// Unreadable titles are not refused; the response has warnings.
  func setAppearance(_ request: RequestContext) throws(Problem) -> Reply {
    let appearance = try request.input(
      ["navigationBar", "toolbar", "tabBar", "button", "title", "currency"],
      readOnly: ["version", "warnings"]
    ) { _, members in
      func tint(_ name: String, _ standard: Tint) -> Tint {
        members.value(name, "Send a colour, such as #2F5D7C.") { value in
          value.text.flatMap { Tint(text: $0) }
        } ?? standard
      }
      let calm = Appearance.calm
      return Appearance(
        navigationBar: tint("navigationBar", calm.navigationBar),
        toolbar: tint("toolbar", calm.toolbar), tabBar: tint("tabBar", calm.tabBar),
        button: tint("button", calm.button), title: tint("title", calm.title),
        currency: members.value(
          "currency", "Send a currency's code of three letters, such as EUR."
        ) { value in value.text.flatMap { Currency(text: $0) } })
    }
    return try write(.setAppearance(appearance), showing: .resource, request)
  }
}

extension JSONWriter {
  mutating func appearance(_ versioned: VersionedAppearance) {
    let appearance = versioned.appearance
    object { writer in
      writer.member("navigationBar", appearance.navigationBar.description)
      writer.member("toolbar", appearance.toolbar.description)
      writer.member("tabBar", appearance.tabBar.description)
      writer.member("button", appearance.button.description)
      writer.member("title", appearance.title.description)
      writer.member("currency", appearance.currency?.description)
      writer.objects("warnings", appearance.warnings) { writer, warning in
        writer.member("pointer", JSONPointer(tokens: warning.path).text)
        writer.member("detail", warning.detail)
      }
      writer.member("version", versioned.version)
    }
  }
}

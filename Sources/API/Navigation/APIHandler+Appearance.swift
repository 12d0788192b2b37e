import HTTP
import Inventory
import JSON

extension APIHandler {
  /// `GET /v1/appearance`
  func appearance(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let appearance = try snapshot.appearance()
      let version = Revision(appearance.version)
      guard !request.holds(version) else { return request.context.notModified(version) }
      var writer = JSONWriter(capacity: 256)
      writer.appearance(appearance)
      return request.context.response(json: writer.finish(), revision: version)
    }
  }

  /// `PUT /v1/appearance`: omitted members get the colours of the calm scheme.
  /// Unreadable titles are not refused; the response has warnings.
  func setAppearance(_ request: RequestContext) throws(Problem) -> Reply {
    let appearance = try request.input(
      ["navigationBar", "toolbar", "tabBar", "button", "title"], readOnly: ["version", "warnings"]
    ) { _, members in
      func tint(_ name: String, _ standard: Tint) -> Tint {
        guard let value = members[name] else { return standard }
        guard case .string(let text) = value, let tint = Tint(text: text) else {
          members.note(name, "Send a colour, such as #2F5D7C.")
          return standard
        }
        return tint
      }
      let calm = Appearance.calm
      return Appearance(
        navigationBar: tint("navigationBar", calm.navigationBar),
        toolbar: tint("toolbar", calm.toolbar), tabBar: tint("tabBar", calm.tabBar),
        button: tint("button", calm.button), title: tint("title", calm.title))
    }
    return try write(.setAppearance(appearance), showing: .resource, request)
  }
}

extension JSONWriter {
  mutating func appearance(_ versioned: VersionedAppearance) {
    let appearance = versioned.appearance
    beginObject()
    member("navigationBar", appearance.navigationBar.description)
    member("toolbar", appearance.toolbar.description)
    member("tabBar", appearance.tabBar.description)
    member("button", appearance.button.description)
    member("title", appearance.title.description)
    key("warnings")
    beginArray()
    for warning in appearance.warnings {
      beginObject()
      member("pointer", JSONPointer(tokens: warning.path).text)
      member("detail", warning.detail)
      endObject()
    }
    endArray()
    member("version", versioned.version)
    endObject()
  }
}

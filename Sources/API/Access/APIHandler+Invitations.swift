import HTTP
import Inventory
import JSON

extension Route {
  static let invitations = [
    Route(
      .post, "/v1/invitations", query: ["origin"], body: .required, isUnconditional: true,
      APIHandler.createInvitation),
    Route(.get, "/v1/invitations", APIHandler.invitations),
    Route(
      .delete, "/v1/invitations/{invitationId}", isUnconditional: true,
      APIHandler.withdrawInvitation),
    Route(
      .post, "/v1/invitations/preview", body: .requiredSmall, isPublic: true, isUnconditional: true,
      APIHandler.previewInvitation),
    Route(
      .post, "/v1/invitations/accept", body: .requiredSmall, isPublic: true, isUnconditional: true,
      APIHandler.acceptInvitation),
  ]
}

extension APIHandler {
  /// `POST /v1/invitations`: no other response contains the code.
  func createInvitation(_ request: RequestContext) throws(Problem) -> Reply {
    let (code, text) = InvitationCode.random()
    let (new, origin) = try request.input(["name", "role", "listId", "expiresAt"]) {
      query, members -> (NewInvitation, String)? in
      let role: RoleName? = members.choice("role", missing: "Choose a role: \(RoleName.all).")
      let list = members.list("listId")
      let name = members.text("name").map(TextRules.trimmed)
      let expiresAt = members.time("expiresAt")
      let origin = query.origin(of: request)
      guard let role else { return nil }
      var new = NewInvitation(code: code, name: name, role: role.role, expiresAt: expiresAt)
      if case .id(let id) = list { new.root = id }
      return (new, origin)
    }
    // Before the drawing, which takes up to two milliseconds.
    guard request.caller.role >= Administration.createInvitation(new).role else {
      throw Problem(.roleForbids(needed: .owner))
    }
    // The part after # is sent to no server and no other page, so that no log has the code.
    let path = "/#invite=\(text)"
    let drawing: QRCode
    do throws(InventoryError) { drawing = try request.qrCode(of: path, origin) } catch {
      throw Problem(error)
    }
    return administer(.createInvitation(new), request) { outcome in
      guard case .invitation(let invitation) = outcome else { return request.context.empty() }
      let body = JSONWriter.bytes { writer in
        writer.object { writer in
          writer.member("code", text)
          writer.member("link", origin + request.context.base.path(path))
          writer.member("qrCode", drawing.svg)
          writer.members(of: invitation)
        }
      }
      return request.context.secret(201, json: body)
    }
  }

  /// `GET /v1/invitations`: those that can still be accepted.
  func invitations(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return read(.long, request) { [store] (snapshot) throws(InventoryError) in
      let open = try snapshot.invitations().filter { store.hasInvitation($0.code) }
      return request.context.response(capacity: 256 + 256 * open.count) {
        $0.collection("invitations", open) { $0.members(of: $1) }
      }
    }
  }

  /// `DELETE /v1/invitations/{invitationId}`
  func withdrawInvitation(_ request: RequestContext) throws(Problem) -> Reply {
    try request.refuseParameters()
    return administer(.withdrawInvitation(request.path.invitation), request) { _ in
      request.context.empty()
    }
  }

  /// `POST /v1/invitations/preview`: the caller needs no token.
  func previewInvitation(_ request: RequestContext) throws(Problem) -> Reply {
    let text = try request.input(["code"]) { _, members in
      members.text("code", missing: "Enter the code of the invitation.")
    }
    let code = try openInvitation(text)
    return read(.bounded, request) { (snapshot) throws(InventoryError) in
      let (invitation, title) = try snapshot.invitation(code)
      return request.context.object { writer in
        writer.member("title", title)
        writer.members(of: invitation)
      }
    }
  }

  /// The code of an invitation that can still be accepted.
  ///
  /// Guesses of strangers do not reach the database. The error is the same for every cause.
  private func openInvitation(_ text: String) throws(Problem) -> InvitationCode {
    guard let code = InvitationCode(text: text), store.hasInvitation(code) else {
      throw .badInvitation
    }
    return code
  }

  /// `POST /v1/invitations/accept`: the caller needs no token.
  func acceptInvitation(_ request: RequestContext) throws(Problem) -> Reply {
    let (text, deviceName) = try request.input(["code", "deviceName"]) {
      _, members -> (String, String?)? in
      let code = members.text("code", missing: "Enter the code of the invitation.")
      let deviceName = members.text("deviceName").map(TextRules.trimmed)
      return code.map { ($0, deviceName) }
    }
    let code = try openInvitation(text)
    let (credential, token) = Credential.random()
    let acceptance = Acceptance(code: code, deviceName: deviceName, credential: credential)
    return administer(.acceptInvitation(acceptance), request) { outcome in
      var response = request.context.created(outcome, token)
      // For the log.
      response.token = credential.token.uuid.halves
      return response
    }
  }
}

extension Problem {
  static let badInvitation = Problem(
    .invitationInvalid,
    "The invitation is unknown, has been used or has expired. Ask for a new one.")
}

extension JSONWriter {
  /// Writes all members of an invitation except its code.
  fileprivate mutating func members(of invitation: Invitation) {
    member("id", invitation.id)
    member("acceptBy", invitation.acceptBy)
    member("name", invitation.name)
    member("role", "\(invitation.role)")
    member("inventoryId", invitation.inventory)
    member("listId", invitation.root)
    member("expiresAt", invitation.expiresAt)
  }
}

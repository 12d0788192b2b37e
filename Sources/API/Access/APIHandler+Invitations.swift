import HTTP
import Inventory
import JSON

extension Route {
  static let invitations = [
    Route(
      .post, "/v1/invitations", query: ["origin"], body: .required, isUnconditional: true,
      APIHandler.createInvitation),
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
          writer.member("acceptBy", invitation.acceptBy)
          writer.member("name", invitation.name)
          writer.member("role", "\(invitation.role)")
          writer.member("inventoryId", invitation.inventory)
          writer.member("listId", invitation.root)
          writer.member("expiresAt", invitation.expiresAt)
        }
      }
      return request.context.secret(201, json: body)
    }
  }

  /// `POST /v1/invitations/accept`: the caller needs no token.
  func acceptInvitation(_ request: RequestContext) throws(Problem) -> Reply {
    let (code, deviceName) = try request.input(["code", "deviceName"]) {
      _, members -> (String, String?)? in
      let code = members.text("code", missing: "Enter the code of the invitation.")
      let deviceName = members.text("deviceName").map(TextRules.trimmed)
      return code.map { ($0, deviceName) }
    }
    // Guesses of strangers do not reach the writer. The error is the same for every cause.
    guard let code = InvitationCode(text: code), store.hasInvitation(code) else {
      throw .badInvitation
    }
    let (credential, text) = Credential.random()
    let acceptance = Acceptance(code: code, deviceName: deviceName, credential: credential)
    return administer(.acceptInvitation(acceptance), request) { outcome in
      var response = request.context.created(outcome, text)
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

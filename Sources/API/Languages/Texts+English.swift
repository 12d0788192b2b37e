import HTTP
import Inventory
import Navigation

extension Texts {
  static let english = Texts(
    name: "English",
    direction: .leftToRight,
    sentinel: "No more items!",
    screens: .english,
    worthMore: { amount, currency in
      "More than " + (currency.map { "\(amount.grouped) \($0)" } ?? "$\(amount.grouped)")
    },
    remainder: "Everything else",
    hardToRead: { warning in
      "\(warning.tint) is hard to read on the \(warning.bar) \(warning.barTint). "
        + "Their contrast is \(warning.contrast). Choose tints with a contrast of 3 or more."
    },
    interface: { $0.english },
    problems: "Problems",
    title: englishTitle,
    explanation: englishExplanation,
    fault: { FaultTexts(ProblemPage.title(of: $0.code), $0.detail) })
}

extension ScreenTexts {
  fileprivate static let english = ScreenTexts(
    button: { action in
      switch action {
      case .back: "Back"
      case .add: "Add"
      case .cancel: "Cancel"
      case .edit: "Edit"
      case .done: "Done"
      case .save: "Save"
      case .move: "Move"
      case .previous: "Previous"
      case .photos: "Photos"
      case .next: "Next"
      }
    },
    deleteLabel: "Remove",
    editing: { "Edit \($0)" },
    adding: { kind in
      switch kind {
      case .list: "Add list"
      case .thing: "Add thing"
      case .car: "Add car"
      }
    },
    moving: { "Move \($0) to another list." },
    about: { "About \($0)" },
    position: { "\($0) of \($1)" })
}

@Sendable
private func englishTitle(_ code: ProblemCode) -> String {
  switch code {
  case .malformedJSON: "The body is not valid JSON"
  case .malformedQuery: "The query can't be read"
  case .malformedHeader: "A header field can't be read"
  case .unauthenticated: "A token is required"
  case .listForbids: "The list does not permit this"
  case .hostForbidden: "Unknown host"
  case .originForbidden: "Request from another site"
  case .roleForbids: "Your role does not permit this"
  case .notFound: "Not found"
  case .invitationInvalid: "The invitation is not valid"
  case .serverOpen: "The server is not protected yet"
  case .methodNotAllowed: "Method not allowed"
  case .ambiguousPath: "The path matches several rows"
  case .stackFull: "The stack is full"
  case .notThePresentTabs: "The order must name each tab once"
  case .sequenceGap: "These are not the client's next commands"
  case .tooManySyncClients: "Too many offline clients"
  case .tooManyNavigators: "Too many navigators"
  case .anchorGone: "The anchor row is not in the list"
  case .contentsList: "A contents list stays with its item"
  case .cycle: "A list can't go into itself"
  case .tooDeep: "Too many levels of lists"
  case .idTaken: "The id is in use"
  case .importGone: "The import was abandoned"
  case .importRunning: "Too many imports are running"
  case .idempotencyKeyReused: "The idempotency key belongs to another request"
  case .kindMismatch: "The list takes another kind of item"
  case .listGone: "The list no longer exists"
  case .lineConflicts: "Some lines conflict with existing rows"
  case .listMovedOn: "The list has changed"
  case .listNotEmpty: "The list is not empty"
  case .notThePresentRows: "The order must name each row once"
  case .notThePresentPhotos: "The order must name each photo once"
  case .notUndoable: "This change can't be undone"
  case .rootList: "The root list can't be changed this way"
  case .rowMoved: "The row has moved"
  case .sentinelImmovable: "The last row can't be moved"
  case .sentinelLast: "No row goes below the last row"
  case .sentinelUndeletable: "The last row can't be deleted"
  case .undoConflict: "Later changes prevent the undo"
  case .historyGone: "The change is not in the log"
  case .inTrash: "In the trash"
  case .resync: "Read the rows again"
  case .preconditionFailed: "Changed since you read it"
  case .rangeNotSatisfiable: "The range is past the end"
  case .renditionTaken: "The photo has another rendition of this size"
  case .tooManyPhotos: "Too many photos"
  case .unsupportedImage: "Unsupported image type"
  case .unsupportedMediaType: "Unsupported media type"
  case .invalidLines: "Some lines are not valid"
  case .invalid: "Some fields are not valid"
  case .tooManyRows: "Too many rows in one change"
  case .preconditionRequired: "A precondition is required"
  case .internalError: "Internal error"
  case .overloaded: "The server is busy"
  case .tooManyStreams: "Too many event streams"
  case .shuttingDown: "The server is stopping"
  case .deadlineExceeded: "The request took too long"
  case .outcomeUnknown: "The outcome is unknown"
  case .storageFull: "The storage is full"
  }
}

@Sendable
private func englishExplanation(_ code: ProblemCode) -> String {
  switch code {
  case .malformedJSON:
    "The request body is not valid JSON in UTF-8, or an object has the same key twice. `detail` names the byte, line and column where reading stopped."
  case .malformedQuery:
    "The query string has a percent sign without two hexadecimal digits after it, or is not UTF-8. Percent-encode the values."
  case .malformedHeader:
    "A header field does not follow its syntax, or does not apply to the request. For example, an entity tag is written in double quotes: If-Match: \"41\"."
  case .unauthenticated:
    "The request has no token, or the token is unknown or revoked. Send Authorization: Bearer rh_…. An owner of the inventory can create a token; so can rowhouse token create on the server's machine."
  case .listForbids:
    "Each list has permissions to add, edit, move and delete its rows. A list that this change touches does not permit it. An owner can change the permissions."
  case .hostForbidden:
    "The Host field names a host that this server does not accept. It accepts loopback names and those given with --allow-host. This protects against DNS rebinding."
  case .originForbidden:
    "The Origin or Sec-Fetch-Site field shows that a page of another site sent this request. Only pages of this server, and of sites given with --cors-origin, may do so."
  case .roleForbids:
    "A reader can read, an editor can also change lists and items, and an owner can also change permissions and tokens. This request needs a higher role than yours, or a token for the whole inventory instead of one list."
  case .invitationInvalid:
    "The code is unknown, was used before or has expired, or the person who invited you may no longer do so. An invitation works once and for five minutes. Ask for a new one."
  case .serverOpen:
    "This server needs no token yet. The token of the first invited person would be the only one, and everyone else would be locked out. Create a token for yourself first."
  case .notFound:
    "There is nothing at this address that you may see. Check the id, and that it belongs to the kind of thing that the address names: a list or an item."
  case .methodNotAllowed:
    "This address does not support the method. The Allow field lists the supported methods."
  case .ambiguousPath:
    "A list on the path has several rows with the same title. Rename one of them, or use an id from `candidates`."
  case .anchorGone:
    "A position or a page refers to a row that is not in the list, or no longer. Read the list again and choose another row."
  case .contentsList:
    "An item's contents are a list, but not a row of their own. Move, delete or restore the item instead."
  case .cycle:
    "A list can't be moved into itself or into a list below it. An item can't be moved into its own contents."
  case .tooDeep:
    "Lists nest only down to the level in `limit`. The root list is level 1, and an item's contents are one level below the item. Choose a place higher up. Lists that were deeper before the limit was set stay where they are."
  case .idTaken:
    "Another list or item has this id. Lists and items share one set of ids. Choose another id, or leave it out to have the server choose one."
  case .importGone:
    "The import's connection broke, another import replaced the inventory, or the server restarted. No part of it was kept. Send it again."
  case .importRunning:
    "Only a few imports run at the same time, and only a few more wait. Try again after the time in Retry-After."
  case .idempotencyKeyReused:
    "An Idempotency-Key belongs to one request. An earlier request at this path had the same key and another body or query. Use a new key for a new request."
  case .kindMismatch:
    "A list can be limited to things or to cars. This list takes the other kind."
  case .listGone:
    "The row's list has been deleted too. Restore that list first, or choose another list with listId."
  case .lineConflicts:
    "Some lines of the import have an id that is in use elsewhere, or a parent that does not exist. Nothing was changed. `conflicts` names each line and the reason."
  case .listMovedOn:
    "You asked for a page at an earlier revision of the list. Apply the delta to the rows that you have."
  case .listNotEmpty:
    "The list has rows, which would be deleted with it. Send ?recursive=true to delete it with its rows."
  case .notThePresentRows:
    "A new order must name each row of the list exactly once. The answer lists missing, unknown and repeated ids."
  case .notThePresentPhotos:
    "A new order must name each photo of the item exactly once. The answer lists missing, unknown and repeated ids."
  case .notUndoable:
    "Some changes have no inverse: for example, an item's contents list stays once it has been created. Delete what you no longer need."
  case .rootList:
    "The root list contains everything else. It can't be moved or deleted."
  case .rowMoved:
    "The row at this index is not the row with this id. Someone has changed the order. `index` is where the row is now."
  case .sentinelImmovable:
    "The pinned last row of a list marks its end. It is not an item and can't be moved."
  case .sentinelLast:
    "The index is past the last row, and the request has ?strict=true. Without it, the row goes to the last place above the pinned row."
  case .sentinelUndeletable:
    "The pinned last row of a list marks its end. It is not an item and can't be deleted. To hide it, change the list's sentinel."
  case .undoConflict:
    "A change can be undone only if no later change has touched the same rows or fields. `conflicts` lists each row that has changed since, and why it prevents the undo."
  case .historyGone:
    "The log keeps a limited number of changes. This revision is too old, or does not exist yet. Read the present state instead."
  case .inTrash:
    "The row, or a list that contains it, has been deleted. `trashId` names the deleted row, which can be restored."
  case .resync:
    "The changes since this revision are no longer known, or the revision does not exist yet. Read the rows again, and continue from `revision`."
  case .preconditionFailed:
    "The If-Match condition failed: it has changed since you read it. The answer has the present state."
  case .rangeNotSatisfiable:
    "The Range field starts after the last byte. Content-Range has the size."
  case .renditionTaken:
    "The first rendition of each size is kept. Use it: read the photo with this size."
  case .tooManyPhotos:
    "The item has as many photos as an item can have. Delete one before you add another."
  case .unsupportedImage:
    "Send the bytes of a JPEG, PNG, WebP, HEIC or GIF file as the body, not as a form and not compressed. The type is detected from the bytes, not from Content-Type."
  case .unsupportedMediaType:
    "Send a JSON body with Content-Type: application/json. A PATCH may also use application/merge-patch+json. Send the body without Content-Encoding."
  case .invalidLines:
    "Some lines can't be read or break a rule. Nothing was changed. `lines` names each line, counted from 1, and what it needs. An incomplete file is reported at its last line."
  case .invalid:
    "Some members or parameters are missing, misspelt, of the wrong type or out of range. `errors` names each of them and what it needs."
  case .tooManyRows:
    "One change can contain only a limited number of rows. Split it into several."
  case .stackFull:
    "A stack has at most 64 screens, and all stacks of a navigator at most 128. Go back, or replace the stack, before you push another screen."
  case .notThePresentTabs:
    "A new order must name each tab of the navigator exactly once. The answer lists missing, unknown and repeated ids."
  case .sequenceGap:
    "A client numbers its commands 1, 2, 3 and so on. lastSequence has the number of the last one that is done. This batch leaves a gap after it, or has another command under a number that is done. Three causes are possible: a backup of the server was restored, the client was not used for 400 days, or a copy of the client's data is in use, too. Take a new client id, read the lists again, and send what is left from 1 on."
  case .tooManySyncClients:
    "One token has only a limited number of offline clients. Keep the id of a client instead of choosing one for each start. A client that is not used for 400 days is forgotten."
  case .tooManyNavigators:
    "You have as many navigators as one person can have. Delete those of old devices: lastUsedAt shows when each was last used."
  case .preconditionRequired:
    "This server requires a precondition for changes by index, because the row at an index can change. Send ?id= with the row's id, or If-Match with the list's ETag."
  case .internalError:
    "The server failed, and changed nothing. Its log has details under the request's id."
  case .tooManyStreams:
    "The server has as many event streams as it allows. Try again later, or ask for changes from time to time instead."
  case .overloaded:
    "The server has too much waiting work. Try again after the time in Retry-After."
  case .shuttingDown:
    "The server is stopping. Try again after its restart."
  case .deadlineExceeded:
    "The answer would take longer than one request may take. Ask for less."
  case .outcomeUnknown:
    "The storage failed while the change was being made durable. After the server's restart the change may be there, or not. Check before you repeat it."
  case .storageFull:
    "There is no room for the change. Reads go on, and writes when there is room again."
  }
}

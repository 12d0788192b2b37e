import Navigation

extension Texts {
  static let english = Texts(
    name: "English",
    direction: .leftToRight,
    sentinel: "No more items!",
    screens: .english,
    worthMore: { "More than $" + $0.grouped },
    remainder: "The rest",
    interface: { $0.english },
    problems: "Problems",
    title: englishTitle,
    explanation: englishExplanation)
}

extension ScreenTexts {
  fileprivate static let english = ScreenTexts(
    back: "Back", add: "Add", cancel: "Cancel", edit: "Edit", done: "Done", save: "Save",
    move: "Move", previous: "Previous", photos: "Photos", next: "Next", deleteLabel: "Remove",
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
  case .malformedJSON: "The body is not JSON"
  case .malformedQuery: "The query can't be read"
  case .malformedHeader: "A header field can't be read"
  case .unauthenticated: "A token is needed"
  case .listForbids: "The list does not permit this"
  case .hostForbidden: "This server does not answer to that host"
  case .originForbidden: "Another site may not do this"
  case .roleForbids: "Your role does not permit this"
  case .notFound: "Not found"
  case .methodNotAllowed: "Method not allowed here"
  case .ambiguousPath: "The path names more than one"
  case .stackFull: "The stack is full"
  case .notThePresentTabs: "Not exactly the navigator's tabs"
  case .tooManyNavigators: "Too many navigators"
  case .anchorGone: "The neighbouring row is not in the list"
  case .contentsList: "A contents list goes with its item"
  case .cycle: "A list can't go into itself"
  case .tooDeep: "Lists may not go so deep here"
  case .idTaken: "The id is taken"
  case .importGone: "The import was given up"
  case .importRunning: "Too many imports are running"
  case .idempotencyKeyReused: "The key was another request's"
  case .kindMismatch: "The list takes another kind of item"
  case .listGone: "The list is gone"
  case .lineConflicts: "Some lines do not fit with what is there"
  case .listMovedOn: "The list has moved on"
  case .listNotEmpty: "The list is not empty"
  case .notThePresentRows: "Not exactly the list's rows"
  case .notThePresentPhotos: "Not exactly the item's photos"
  case .notUndoable: "This can't be undone"
  case .rootList: "The root list stays where it is"
  case .rowMoved: "The row is somewhere else by now"
  case .sentinelImmovable: "The last row can't be moved"
  case .sentinelLast: "Nothing goes below the last row"
  case .sentinelUndeletable: "The last row can't be deleted"
  case .undoConflict: "Too much has changed to undo this"
  case .historyGone: "The history does not reach back so far"
  case .inTrash: "In the trash"
  case .resync: "Read it again"
  case .preconditionFailed: "Changed in the meantime"
  case .rangeNotSatisfiable: "There are no such bytes"
  case .tooManyPhotos: "Too many photos"
  case .unsupportedImage: "No image of a known type"
  case .unsupportedMediaType: "Unsupported media type"
  case .invalidLines: "Some lines are not valid"
  case .invalid: "Some fields are not valid"
  case .tooManyRows: "Too many rows at once"
  case .preconditionRequired: "A precondition is required"
  case .internalError: "Something went wrong here"
  case .overloaded: "Too busy just now"
  case .tooManyStreams: "Too many event streams"
  case .shuttingDown: "Shutting down"
  case .deadlineExceeded: "It took too long"
  case .outcomeUnknown: "The outcome is unknown"
  case .storageFull: "The storage is full"
  }
}

@Sendable
private func englishExplanation(_ code: ProblemCode) -> String {
  switch code {
  case .malformedJSON:
    "The body of the request is not JSON in UTF-8, or it says the same key twice. The detail names the place where reading stopped: the byte, the line and the column."
  case .malformedQuery:
    "The part of the address behind the question mark has a percent sign that no two hexadecimal digits follow, or is not UTF-8. Encode its values before you send them."
  case .malformedHeader:
    "A header field is not written as HTTP has it. An entity tag, for one, stands in double quotes: If-Match: \"41\"."
  case .unauthenticated:
    """
    The request shows no token, or one that is unknown or has been revoked. Send it as Authorization: \
    Bearer rh_…; an owner of the inventory can make one, and so can rowhouse token create on the \
    server's machine.
    """
  case .listForbids:
    "Each list says whether its rows may be added, edited, moved and deleted. One that this change touches does not permit it. An owner can change the list's permissions."
  case .hostForbidden:
    """
    The Host field names none of the hosts that this server answers to: those of loopback, and those \
    given with --allow-host. This keeps out web pages whose name was made to point at this machine.
    """
  case .originForbidden:
    """
    The request comes from a web page of another site, as its Origin or Sec-Fetch-Site field tells, and \
    asks for a change. Only pages of this server's own host may do that.
    """
  case .roleForbids:
    "A reader sees, an editor changes lists and items, an owner sets what lists permit. This needs more than your role has."
  case .notFound:
    "There is nothing at this address, or nothing that you may see. An id may be mistyped, or name something of another kind: an item where a list is meant."
  case .methodNotAllowed:
    "The address is right, but it does not answer to this method. The Allow field of the answer names those that it does."
  case .ambiguousPath:
    "On the way down, a title stands in a list twice. Rename one, or use one of the ids among the candidates."
  case .anchorGone:
    "A place was named by the row before or after it, or a page by the row it starts behind, and that row is not in the list, or not any more. Read the list again and choose another."
  case .contentsList:
    "What an item contains is a list of its own, but no row: it is moved, deleted and restored with its item only."
  case .cycle:
    "A list can't be moved into itself, or into a list that is somewhere below it, and an item not into its own contents."
  case .tooDeep:
    "The owner has limited how deep lists go in this inventory. No list can be made or moved below the level that the answer names, the root list being on level 1 and an item's contents one below the item. What stood there before the limit was set stays."
  case .idTaken:
    "You chose an id that another list or item has. Lists and items share one space of ids. Choose a new one, or let the server make it."
  case .importGone:
    "The import was broken off, another import replaced the inventory, or the server restarted meanwhile. Nothing of it was kept. Send it again."
  case .importRunning:
    "A few imports run at a time, and some more wait. Try again shortly."
  case .idempotencyKeyReused:
    """
    An Idempotency-Key names one request, so that it can be sent again until it is answered. One with \
    this key came before at this path, with another body or query. Choose a new key for a new request.
    """
  case .kindMismatch:
    "A list may take things only, or cars only. This one takes the other kind."
  case .listGone:
    "What you want back stood in a list that has been deleted too. Restore that list first, or name another with listId."
  case .lineConflicts:
    "Each line of an import names a list or an item by its id. Some of these ids are taken by something else, are somewhere else, or have a parent that is nowhere. Nothing was changed. The answer names the lines and what is wrong with each."
  case .listMovedOn:
    "You asked for a page of the list as it was at a revision, and rows have changed since. The delta brings the rows you have up to date."
  case .listNotEmpty:
    "There are still rows in the list that would go with it. To delete them all, ask again with ?recursive=true."
  case .notThePresentRows:
    "A new order must name every row of the list once. The answer says which are missing, which are not in this list, and which stand there twice."
  case .notThePresentPhotos:
    "A new order must name every photo of the item once. The answer says which are missing, which are not the item's, and which stand there twice."
  case .notUndoable:
    "Some changes have no inverse: a contents list that an item has been given, for one, stays with it. Delete what you do not want."
  case .rootList:
    "Everything is below the root list. It can't be moved or deleted."
  case .rowMoved:
    "The row at this index is not the one you meant: somebody has changed the order in the meantime. The answer says where your row is now."
  case .sentinelImmovable:
    "The last row of a list only says that nothing follows. It is no item and stays where it is."
  case .sentinelLast:
    "The index is past the last place, and you asked for strictness. Without ?strict=true the row would land on the last place above the pinned row."
  case .sentinelUndeletable:
    "The last row of a list only says that nothing follows. It is no item and can't be deleted; a list can be told to hide it."
  case .undoConflict:
    "A change is undone only where nothing has come in between: where a moved row has been moved again or is gone, an edited field has been edited, an added row has been edited or moved, or a reordered list has other rows or another order, it stays as it is. The answer names each such row and says why."
  case .historyGone:
    "The log keeps only so many changes. This one is no longer there, or has never been. Read what is there now."
  case .inTrash:
    "It has been deleted, or was in a list that has been deleted. The answer names what was deleted, which can be restored."
  case .resync:
    "What was changed since the revision that you named is not known any more, or there is no such revision yet. Read the rows again, and go on from the revision that stands in revision."
  case .preconditionFailed:
    "You asked for a change on condition that nothing else had changed, and something has. The answer says what is there now."
  case .rangeNotSatisfiable:
    "The Range field asks for bytes past the end. Content-Range says how many there are."
  case .tooManyPhotos:
    "An item has only so many photos. Delete one before you add another."
  case .unsupportedImage:
    "A photo is sent as the bytes of its file, neither as a form nor compressed. The type is read from the bytes, whatever Content-Type says: JPEG, PNG, WebP, HEIC and GIF."
  case .unsupportedMediaType:
    "A body must be JSON and say so: Content-Type: application/json. A PATCH may also be application/merge-patch+json. Compressed bodies are not read."
  case .invalidLines:
    "A line of what was sent cannot be read, or breaks a rule. Nothing was changed. The answer names each line, counted from 1, and what would be right. A file that ends too early is named by its last line."
  case .invalid:
    "The request can be read, but some of its members or parameters are missing, misspelt, of the wrong type or out of range. Each is named under errors, with what would be right."
  case .tooManyRows:
    "One change takes only so many rows. Send them in several."
  case .stackFull:
    "A stack takes 64 screens. Go back a few, or set the stack anew, before another screen is pushed."
  case .notThePresentTabs:
    "A new order must name every tab of the navigator once. The answer says which are missing, which are not there, and which stand there twice."
  case .tooManyNavigators:
    "One may keep only so many navigators. Delete those of devices that are not used any more: lastUsedAt tells which."
  case .preconditionRequired:
    "An index names whatever stands there when the request arrives. Say which row you mean with ?id=, or which revision of the list you saw with If-Match."
  case .internalError:
    "The server failed, and the request changed nothing. Its log has more under the request's id."
  case .tooManyStreams:
    "As many clients as the server takes are following events already. Try again later, or ask for changes from time to time."
  case .overloaded:
    "More writes are waiting than the server takes in. Try again after the time that Retry-After says."
  case .shuttingDown:
    "The server is being stopped. Try again when it is back."
  case .deadlineExceeded:
    "The answer would have taken longer than a single request may take. Ask for less at once."
  case .outcomeUnknown:
    "The storage failed while the change was being made durable: it may be there after the server's restart, or not. Look before you repeat it."
  case .storageFull:
    "There is no room for the change. Reading goes on, and changes will when there is room again."
  }
}

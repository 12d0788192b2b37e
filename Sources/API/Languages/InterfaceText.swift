/// A text of the client's own, not part of bars and rows. Its raw value is its name in `GET /v1/texts`.
///
/// The client replaces placeholders in braces: `{name}`, `{count}`. A text that depends on a number has a form for each
/// plural category of the language, with `|` between them: https://cldr.unicode.org/index/cldr-spec/plural-rules
enum InterfaceText: String, Sendable, CaseIterable {
  // Connection, sign-in and conflicts.
  case offline, needsConnection, online, loading, tryAgain, changedElsewhere, close, cancel, save
  case more, token
  case tokenAsk, tokenWhat, tokenNone, tokenWrong, tokenKeep, signIn, signOut, unsure, wasDone
  case wasNotDone, keptHere, notStored, goneHere, back
  case discardAsk, discard, keepEditing, conflict, conflictTheirs, conflictYours, conflictChoose
  case noValue, on, off
  case ownChanges, waitingCount, waitingNone, toldChanges, takeBack, dismiss, useTheirs, keepYours
  case restoreAgain, restoreAndSave
  case formerCount, formerDetail, formerForReaders, formerTold, formerDiscard, send, show
  case bothKept, signOutAsk, signOutSure, signOutDetail, notKept, notKeptHint

  // Search.
  case search, searchEverywhere, clear, found, foundNothing, foundNothingHint, withTag, tagsNone,
    tagsNoneHint

  // Rows.
  case countItems, countLists, countRows, viewOnly
  case photoAttached, `open`, editRow, removeAsk, removeAll, removeAllOf, removed, undo, undone
  case redo, redone, notUndoable
  case dragRow, lifted, overPlace, dropped, putBack, moveRow, moveThis, moveWhere, moveTo,
    moveHome, moveRefused, placeNow, moved, nothingToEnter, noOtherList,
    addFirst, loadDemo
  case listEmpty, listEmptyHint, inventoryEmpty, inventoryEmptyHint, emptyForReaders

  // Many rows at once, and the menu of a row.
  case select, selectAll, selecting, selected, selectedSum, selectLimit, move, tag, done, edit
  case addTags
  case openRow, toTop, toBottom, copyLink, linkCopied, copyByHand, removeManyAsk, removedMany
  case movedMany, movePrompt, taggedMany, findList, tagsOfMany, tagOfSome, tagForAll, keySelectAll

  // Typing new rows.
  case new, newRow, newHint, newListHint, add, item, moreDetails, justAdded, added, addedMany
  case leaveInName

  // Adding and editing.
  case kind, list, thing, car, place, placeFirst, placeLast, title, name, serialNumber
  case valueInDollars, valueOfAll, foreignMoney, quantity, make, model, year, fuelAmount, tags
  case tagsHint, tagKnown, notes, fields, field, text, addField, removeField, fieldNeedsName
  case fieldNameTaken, partKept, editLater, removeTag
  case createdAt, updatedAt, contents, makeContents

  // Fields of a list.
  case details, itemKind, itemKindHint, anyKind, thingsOnly, carsOnly, sentinelText
  case sentinelTextHint, sentinelVisible, sentinelVisibleHint, deleteLabel, deleteLabelHint
  case permissions, mayAdd, mayAddHint, mayEdit, mayEditHint, mayMove, mayMoveHint, mayDelete
  case mayDeleteHint, totalValue
  case glyph, glyphHint, glyphs, glyphOne, colour, colourHint, noColour, red, orange, yellow
  case green, teal, blue, purple, grey

  // Photos.
  case addPhoto, takePhoto, photoNumber, removePhoto, photoRemoved, noPhotos, photoPrevious,
    photoNext
  case photoMoved, photoEarlier
  case photoLater, photoUnreadable, photosNotAdded, fileEmpty, photoTypes, photos, resetZoom

  // Order.
  case order, ownOrder, dragInView, keepOrder, reordered, ascending, descending, everything
  case sections
  case sectionsAbove, sectionsNone

  // Trash and history.
  case trash, trashEmpty, trashHint, restore, restoreElsewhere, restored, purge, purgeAsk, changes,
    changesNone, changesHint
  case didCreateList, didEditList, didMakeContents, didCreateItem, didAppendItems, didEditItem
  case didMoveRow, didMoveRows, didReorder, didBatch, didDeleteRow, didRestoreRow, didPurge
  case didAddPhoto, didDeletePhoto, didReorderPhotos, didImport, didImportTable, didUndo

  // Tabs, places, settings.
  case tabs, newTab, closeTab, tabEarlier, tabLater, editTab, tabTitleHint, aboutTab, image, house
  case star, path, settings, language, ownLanguage, places, placesNone, placesHint
  case placeOffer, placeContinue
  case inventories, newInventory, deviceName, browserOn, lastUsed, colours, navigationBar,
    toolbar, tabBar, button, hardToRead
  case theme, automatic, light, dark, accent, ochre, pink, violet, graphite
  case currency, currencyHint, value

  // About.
  case about, version, company, copyright, legal, licence, contact, support, credits, lists, items

  // Export and import.
  case transfer, exportAll, exportTable, importFile, importNow, importTypes, transferHint
  case importAsk, encodingGuessed
  case importFields, matchColumns, matchColumnsHint, columnField, columnLocation, columnIgnore
  case imported, created, updated, unchanged, line

  // Labels.
  case printLabel, printListLabel, labels, labelsPaper, labelsSheet, labelsLetter, labelsRoll
  case labelsDialog
  case labelsLocal, labelsUsed, labelsBelow, labelsNone, labelsMissing, labelsMost
  case print, printedOn, valueEach
  case scan, scanHint, scanCannot, scanNoCamera, scanPicture, scanNothing, scanForeign

  // Sharing.
  case share, shareList, shareEverything, shareDetail, shareLocal, shareReady, invitee, mayDo
  case roleReader, roleEditor, roleOwner, roleAdmin, accessEnds, never, inADay, inAWeek, inAMonth
  case inAYear, createLink
  case createAnother, linkUsed, linkEnded, openLinks, openUntil, withdraw, link, qrCode, copy
  case copied, people, thisDevice, madeOn, neverUsed, endsAt
  case rename, revoke, revokeAsk, revokeOwn, revokeLast, revokeLastOwner, invite, protect
  case protectNow, protectOffer, protectDetail, protectFirst, protectKeep, protectAsk
  case protectAskDetail, protectLost
  case invited, invitedTo, invitedDetail, invitedAgain, accept, acceptLost

  // The sidebar and the panes of wide windows.
  case sidebar, showAll

  // Keyboard shortcuts.
  case keys, keyAdd, keyAddList, keyEdit, keyNext, keyPrevious, keyUp, keyDown, keyLook, keyRemove
  case keyPalette, keyBack, keyHelp, singleKeys, singleKeysHint, singleKeysOff, palette, command
}

import Inventory
import WebApp

/// What a request asks for, with the values of its path.
enum Endpoint: Sendable {
  case health
  case readiness
  case metrics
  case about
  case texts
  case problems
  case problem(code: String)
  case file(WebFile)
  case resolve
  case whoAmI

  case tokens
  case createToken
  case token(TokenID)
  case revokeToken(TokenID)
  case inventories
  case createInventory
  case inventory(InventoryID)
  case editInventory(InventoryID)
  case search
  case tags

  case lists
  case createList
  case list(ListReference)
  case editList(ListReference)
  case deleteList(ListReference)
  case listPath(ListReference)

  case changes(ListReference)
  case listEvents(ListReference)
  case events

  case rows(ListReference)
  case moveRow(ListReference)
  case moveTarget(ListReference)
  case moveRows(ListReference)
  case reorder(ListReference)
  case batch(ListReference)
  /// Nil: what stands in the path is no whole number of 64 bits.
  case deleteRowAt(ListReference, index: Int?)
  case place(RowReference)
  case relocate(RowReference)
  case deleteRow(RowReference)

  case createItem(ListReference)
  case createRandomItem(ListReference)
  case item(ItemID)
  case editItem(ItemID)
  case replaceItem(ItemID)
  case deleteItem(ItemID)
  case makeContents(ItemID)
  case itemPath(ItemID)

  case photos(ItemID)
  case addPhoto(ItemID)
  case reorderPhotos(ItemID)
  case photo(PhotoID, of: ItemID)
  case deletePhoto(PhotoID, of: ItemID)

  case listScreen(ListReference)
  case itemScreen(ItemID)
  case photosScreen(ItemID)
  case aboutScreen
  case neighbours(ItemID)
  case navigators
  case createNavigator
  case navigator(NavigatorID, NavigatorCall)
  case appearance
  case setAppearance

  /// What is done to a navigator.
  enum NavigatorCall: Sendable {
    case show, edit, delete, push, pop, popTo, popToRoot, setStack, open, selectTab, setTabs
    case reorderTabs, editTop
  }

  case trash
  case restore(RowReference)
  case purge(RowReference)
  case log
  case change(Revision)
  case undo(Revision)

  case exportInventory
  case importInventory
  case exportTable(ListReference)
  case importTable(ListReference)

  case rewind(RewindCall)

  /// What a path names: whether the caller may see it comes before all that is wrong with the rest.
  enum Subject: Sendable {
    case list(ListReference)
    case item(ItemID)
    case row(RowID)
    case navigator(NavigatorID)
    case inventory(InventoryID)
  }

  var subject: Subject? {
    switch self {
    case .whoAmI, .tokens, .createToken, .token, .revokeToken, .inventories, .createInventory,
      .health, .readiness, .metrics, .about, .texts, .problems, .problem, .file, .resolve, .search,
      .tags,
      .events,
      .lists, .createList, .aboutScreen, .navigators, .createNavigator, .appearance,
      .setAppearance, .exportInventory, .importInventory, .trash, .restore, .purge, .log, .change,
      .undo, .rewind:
      nil
    case .navigator(let navigator, _): .navigator(navigator)
    case .inventory(let inventory), .editInventory(let inventory): .inventory(inventory)
    case .listScreen(let list): .list(list)
    case .itemScreen(let item), .photosScreen(let item), .neighbours(let item): .item(item)
    case .list(let list), .editList(let list), .deleteList(let list), .listPath(let list),
      .changes(let list), .listEvents(let list), .rows(let list), .moveRow(let list),
      .moveTarget(let list), .moveRows(let list),
      .reorder(let list), .batch(let list), .deleteRowAt(let list, _), .createItem(let list),
      .createRandomItem(let list), .exportTable(let list), .importTable(let list):
      .list(list)
    case .place(.id(let row)), .relocate(.id(let row)), .deleteRow(.id(let row)): .row(row)
    case .place(.root), .relocate(.root), .deleteRow(.root): .list(.root)
    case .item(let item), .editItem(let item), .replaceItem(let item), .deleteItem(let item),
      .makeContents(let item), .itemPath(let item), .photos(let item), .addPhoto(let item),
      .reorderPhotos(let item), .photo(_, let item), .deletePhoto(_, let item):
      .item(item)
    }
  }
}

/// What stands where a path names a row: an id, or `root`, which is a place but no row.
enum RowReference: Sendable, Hashable {
  case root
  case id(RowID)
}

import FoundationEssentials
import Inventory

/// The values of a path's placeholders. A value is meaningless if the template lacks its placeholder.
struct PathValues: Sendable {
  enum Placeholder: String, Sendable {
    case list = "{listId}"
    case item = "{itemId}"
    case row = "{rowId}"
    case index = "{index}"
    case revision = "{revision}"
    case token = "{tokenId}"
    case invitation = "{invitationId}"
    case code = "{code}"
    case photo = "{photoId}"
    case size = "{size}"
    case navigator = "{navigatorId}"
    case inventory = "{inventoryId}"

    /// Whether the named thing is looked up before a request is refused.
    var isSubject: Bool { [.list, .item, .row, .navigator, .inventory].contains(self) }
  }

  var list = ListReference.root
  var item = ItemID(nowhere)
  var row = RowReference.root
  var index: Int?
  var revision = Revision(0)
  var token = TokenID(nowhere)
  var invitation = InvitationID(nowhere)
  var code = ""
  var photo = PhotoID(nowhere)
  var size = RenditionSize.icon
  var navigator = NavigatorID(nowhere)
  var inventory = InventoryID(nowhere)

  private static let nowhere = UUID(
    uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// - Throws: `notFound` or `inTrash` if the caller cannot see the thing that the placeholder names.
  func look(for subject: Placeholder, in snapshot: any Snapshot) throws(InventoryError) {
    switch subject {
    case .list: _ = try snapshot.list(list)
    case .item: _ = try snapshot.item(item)
    case .row:
      switch row {
      case .root: _ = try snapshot.list(.root)
      case .id(let id): _ = try snapshot.place(of: id)
      }
    case .navigator: _ = try snapshot.navigator(navigator)
    case .inventory:
      _ = try snapshot.seen(by: try snapshot.caller.entering(inventory)).inventory()
    case .index, .revision, .token, .invitation, .code, .photo, .size: break
    }
  }

  /// Reads one segment. False if it is not a valid value.
  mutating func take(_ placeholder: Placeholder, _ segment: ArraySlice<UInt8>) -> Bool {
    let isRoot = segment.elementsEqual("root".utf8)
    switch placeholder {
    case .list where isRoot: list = .root
    case .row where isRoot: row = .root
    case .index: index = Int(digits: String(decoding: segment, as: UTF8.self))
    case .code: code = String(decoding: segment, as: UTF8.self)
    case .revision:
      guard let number = Int(digits: String(decoding: segment, as: UTF8.self)) else {
        return false
      }
      revision = Revision(Int64(number))
    case .size:
      let number = Int(digits: String(decoding: segment, as: UTF8.self))
      guard let size = number.flatMap({ RenditionSize(rawValue: $0) }) else { return false }
      self.size = size
    case .list, .item, .row, .token, .invitation, .photo, .navigator, .inventory:
      guard let uuid = UUID(text: segment) else { return false }
      set(placeholder, uuid)
    }
    return true
  }

  private mutating func set(_ placeholder: Placeholder, _ uuid: UUID) {
    switch placeholder {
    case .list: list = .id(ListID(uuid))
    case .item: item = ItemID(uuid)
    case .row: row = .id(RowID(uuid))
    case .token: token = TokenID(uuid)
    case .invitation: invitation = InvitationID(uuid)
    case .photo: photo = PhotoID(uuid)
    case .navigator: navigator = NavigatorID(uuid)
    case .inventory: inventory = InventoryID(uuid)
    case .index, .code, .revision, .size: break
    }
  }
}

extension Int {
  /// Parses decimal digits with an optional minus. Nil for other text and beyond 64 bits.
  init?(digits text: String) {
    let unsigned = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !unsigned.isEmpty,
      unsigned.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    self.init(text)
  }
}

/// A row in a path: an id, or `root` for the root list.
enum RowReference: Sendable, Hashable {
  case root
  case id(RowID)
}

import Inventory
import JSON

/// The lines of an export, each a JSON object. They are a header, then a line for each list and item,
/// depth first, and a last line with the counts, which shows whether the file is complete. After an
/// item come its photos, and after each photo its bytes in pieces.
enum TransferFormat {
  static let name = "rowhouse"
  static let version = 1
  /// The media types that an import accepts.
  static let mediaTypes = ["application/x-ndjson", "application/ndjson", "application/jsonl"]
}

extension JSONWriter {
  /// Writes the header. It has no time, and no id except that of the top list, so that equal data exports to equal
  /// files.
  ///
  /// It has the currency and the tints even if they are the default, so that a file also replaces others by those.
  mutating func transferHeader(top: ListID, _ appearance: Appearance) {
    object { writer in
      writer.member("format", TransferFormat.name)
      writer.member("version", TransferFormat.version)
      writer.member("rootId", top)
      writer.object("appearance") { $0.appearanceMembers(appearance) }
    }
  }

  mutating func transferEnd(lists: Int, items: Int, photos: Int) {
    object { writer in
      writer.member("end", true)
      writer.member("lists", lists)
      writer.member("items", items)
      writer.member("photos", photos)
    }
  }

  /// Writes the next bytes of the last photo: `PhotoPiece.size` of them, or the rest in the last piece.
  mutating func transferPiece(of photo: PhotoID, _ number: Int, _ bytes: [UInt8]) {
    beginObject()
    fragment(#""type":"piece","photoId":"#)
    id(photo)
    member("number", number)
    key("base64")
    Base64.encode(bytes).withUnsafeBufferPointer { string(utf8: $0) }
    endObject()
  }

  mutating func transferRecord(_ record: TransferRecord) {
    beginObject()
    switch record {
    case .list(let list): transferMembers(list)
    case .item(let item): transferMembers(item)
    case .photo(let photo): transferMembers(photo)
    }
    endObject()
  }

  private mutating func transferMembers(_ photo: TransferredPhoto) {
    fragment(#""type":"photo","id":"#)
    id(photo.id)
    member("itemId", photo.item)
    member("mediaType", photo.image.type.mediaType)
    imageMembers(photo.image, size: photo.size)
    member("createdAt", photo.createdAt)
  }

  private mutating func transferMembers(_ list: TransferredList) {
    fragment(#""type":"list","id":"#)
    id(list.id)
    switch list.holder {
    case .nothing: break
    case .list(let parent):
      member("parentId", parent)
    case .item(let item):
      member("itemId", item)
    }
    let details = list.details
    member("title", details.title)
    member("itemKind", details.itemKind.rawValue)
    permissions("permissions", details.permissions)
    object("sentinel") { writer in
      writer.member("text", details.sentinel.text)
      writer.member("visible", details.sentinel.isVisible)
    }
    member("deleteLabel", details.deleteLabel)
    member("glyph", details.glyph)
    member("colour", details.colour?.rawValue)
    times(list.createdAt, list.updatedAt)
  }

  private mutating func transferMembers(_ item: TransferredItem) {
    fragment(#""type":"item","id":"#)
    id(item.id)
    member("listId", item.list)
    detailMembers(item.details)
    times(item.createdAt, item.updatedAt)
  }

  private mutating func times(_ createdAt: Timestamp, _ updatedAt: Timestamp) {
    member("createdAt", createdAt)
    member("updatedAt", updatedAt)
  }
}

import Inventory
import SQL

/// Reads and adds renditions of photos.
enum RenditionRecord {
  /// The smallest stored rendition of a visible photo that has at least this size.
  static func first(
    of photo: PhotoID, atLeast size: RenditionSize, for access: Access
  ) throws(StorageError) -> Rendition? {
    try access.db.sql(
      """
      SELECT rendition.size, rendition.type, length(bytes)
      FROM photo JOIN photo_rendition AS rendition ON photo = key
      WHERE inventory = ?1 AND id = ?2 AND state = 1 AND rendition.size >= ?3
      ORDER BY rendition.size LIMIT 1
      """
    ).bind(access.inventory).bind(photo).bind(size.rawValue).all { (row) throws(StorageError) in
      guard let size = RenditionSize(rawValue: row.int(0)),
        let type = ImageType(rawValue: row.string(1))
      else { throw .broken("photo \(photo): a rendition has an unknown size or type") }
      return Rendition(size: size, type: type, byteCount: row.count(2))
    }.first
  }
}

extension CommandRunner {
  /// Adds a rendition, unless the photo has the same one already.
  ///
  /// - Throws: `renditionTaken` if the photo has another rendition of this size.
  func addRendition(
    _ new: NewRendition, of id: PhotoID, in item: ItemID
  ) throws(StorageError) -> Outcome {
    let item = try editable(item, with: id)
    guard let photo = try PhotoRecord.all(of: item.key, in: db).first(where: { $0.id == id })
    else { throw .broken("photo \(id) is gone") }
    let sides: (width: Int, height: Int)
    do throws(InventoryError) { sides = try new.sides(as: photo.image) } catch {
      throw .refused(error)
    }
    let added = try db.sql(
      """
      INSERT INTO photo_rendition (photo, size, type, width, height, bytes)
      SELECT key, ?3, ?4, ?5, ?6, ?7 FROM photo WHERE inventory = ?1 AND id = ?2
      ON CONFLICT DO NOTHING
      """
    ).bind(change.access.inventory).bind(id).bind(new.size.rawValue).bind(new.image.type.rawValue)
      .bind(sides.width).bind(sides.height).bind(new.bytes).performCounting()
    if added == 1 { return outcome(isChanged: false, nil, isCreated: true) }
    let isSame = try db.sql(
      """
      SELECT 1 FROM photo JOIN photo_rendition AS rendition ON photo = key
      WHERE inventory = ?1 AND id = ?2 AND rendition.size = ?3 AND bytes = ?4
      """
    ).bind(change.access.inventory).bind(id).bind(new.size.rawValue).bind(new.bytes).hasRow()
    guard isSame else { throw .refused(.renditionTaken(new.size)) }
    return outcome(isChanged: false, nil)
  }
}

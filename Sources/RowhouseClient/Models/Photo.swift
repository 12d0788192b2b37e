import Foundation

/// A photo of an item, without its bytes.
public struct Photo: Codable, Sendable, Identifiable, Hashable {
  public typealias ID = Identifier<Photo>

  public var id: ID
  /// A media type, read from the bytes.
  public var type: String
  /// In bytes.
  public var size: Int
  public var width: Int?
  public var height: Int?
  /// As EXIF counts, from 1 to 8.
  public var orientation: Int?
  /// Among the item's photos.
  public var index: Int
  public var createdAt: Date
}

import Foundation

/// A photo of an item, without its bytes.
public struct Photo: Codable, Sendable, Identifiable, Hashable {
  public typealias ID = Identifier<Photo>

  public var id: ID
  /// The media type, detected from the bytes.
  public var type: String
  /// The size in bytes.
  public var size: Int
  public var width: Int?
  public var height: Int?
  /// The Exif orientation, from 1 to 8.
  public var orientation: Int?
  /// The index among the item's photos.
  public var index: Int
  public var createdAt: Date
}

/// The server's about texts; nil for texts that it does not have.
public struct About: Codable, Sendable, Hashable {
  /// The name of the server.
  public var name: String
  public var version: String
  public var build: String?
  public var company: String?
  public var copyright: String?
  /// May have several lines.
  public var legal: String?
  public var licence: String?
  public var contact: String?
  public var support: String?
  public var credits: String?
  /// How many lists and items the caller sees. For a caller who sees the whole inventory, those in the trash, and those
  /// that are still being deleted or imported, are counted too.
  public var counts: Counts

  public struct Counts: Codable, Sendable, Hashable {
    public var lists: Int
    public var items: Int
  }
}

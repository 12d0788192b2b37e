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
  /// The counts of what the caller sees.
  public var counts: Counts

  public struct Counts: Codable, Sendable, Hashable {
    public var lists: Int
    public var items: Int
  }
}

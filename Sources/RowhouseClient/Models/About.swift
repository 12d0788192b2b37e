/// What a server says of itself; nil is what it does not say.
public struct About: Codable, Sendable, Hashable {
  /// What the server is called.
  public var name: String
  public var version: String
  public var build: String?
  public var company: String?
  public var copyright: String?
  /// In as many lines as it takes.
  public var legal: String?
  public var licence: String?
  public var contact: String?
  public var support: String?
  public var credits: String?
  /// Of what the caller sees.
  public var counts: Counts

  public struct Counts: Codable, Sendable, Hashable {
    public var lists: Int
    public var items: Int
  }
}

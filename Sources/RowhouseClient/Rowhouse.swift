import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A Rowhouse server, as whoever holds the token sees it.
///
/// Values are cheap to copy; copies share their connections. Every call throws ``RowhouseError`` and
/// nothing else.
public struct Rowhouse: Sendable {
  /// Where the server is, without `/v1`.
  public let url: URL
  /// Sent with each call; nil for a server that asks for none.
  public var token: String?
  /// Which of the server's inventories the calls are about, where the token does not say; nil: the default.
  public var inventory: Inventory.ID?
  /// What the answers' texts are to be written in, as `Accept-Language` has it (`"ar"`,
  /// `"en-GB, en;q=0.8"`); nil lets the server choose.
  public var languages: String?
  /// How often a call is tried, and how far apart.
  public var retries: RetryPolicy
  let session: URLSession

  /// A client of the server at a URL; nothing is asked of it yet.
  ///
  /// - Parameters:
  ///   - url: where the server is, without `/v1`.
  ///   - token: sent with each call; nil for a server that asks for none.
  ///   - inventory: which of the server's the calls are about; nil: the token's, or the default.
  ///   - languages: what texts are to be written in, as `Accept-Language` has it; nil: the server chooses.
  ///   - retries: how often a call is tried, and how far apart.
  ///   - configuration: how connections are made, and where photos are cached, which are all that is: other
  ///     answers are asked for each time. The default keeps some in memory; give one with a cache on the disk
  ///     for photos that are to be there at the next start.
  public init(
    at url: URL, token: String? = nil, inventory: Inventory.ID? = nil, languages: String? = nil,
    retries: RetryPolicy = .standard, configuration: URLSessionConfiguration? = nil
  ) {
    self.url = url
    self.token = token
    self.inventory = inventory
    self.languages = languages
    self.retries = retries
    session = URLSession(configuration: configuration ?? Self.plainConfiguration)
  }

  /// The same server with texts in other languages.
  public func speaking(_ languages: String) -> Rowhouse {
    var copy = self
    copy.languages = languages
    return copy
  }

  /// The same server, and another of its inventories; nil: the default.
  public func entering(_ inventory: Inventory.ID?) -> Rowhouse {
    var copy = self
    copy.inventory = inventory
    return copy
  }

  private static var plainConfiguration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache?.memoryCapacity = 64 << 20
    configuration.timeoutIntervalForRequest = 30
    return configuration
  }
}

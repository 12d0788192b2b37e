import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client of a Rowhouse server.
///
/// Values are cheap to copy, and copies share their connections. Every call throws ``RowhouseError`` and nothing else.
public struct Rowhouse: Sendable {
  /// The URL of the server, without `/v1`.
  public let url: URL
  /// Sent with each call; nil for a server that needs none.
  public var token: String?
  /// The inventory of the calls, if the token does not decide it; nil: the default.
  public var inventory: Inventory.ID?
  /// The languages for texts in answers, in the form of `Accept-Language` (`"ar"`, `"en-GB,
  /// en;q=0.8"`); nil lets the server choose.
  public var languages: String?
  /// The number of attempts of a call, and the delays between them.
  public var retries: RetryPolicy
  let session: URLSession

  /// Makes a client of the server at a URL. Sends no request yet.
  ///
  /// - Parameters:
  ///   - url: The URL of the server, without `/v1`.
  ///   - token: Sent with each call; nil for a server that needs none.
  ///   - inventory: The inventory of the calls; nil: the token's, or the default.
  ///   - languages: The languages for texts, in the form of `Accept-Language`; nil: the server chooses.
  ///   - retries: The number of attempts of a call, and the delays between them.
  ///   - configuration: The settings of connections and of the cache, which only photos use. The default caches some in
  ///     memory. Pass one with a disk cache to keep photos for the next start.
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

  /// The same server with another inventory; nil: the default.
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

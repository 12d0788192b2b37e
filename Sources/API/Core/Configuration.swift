import Inventory

/// The settings of one server: its description, limits and rules.
package struct Configuration: Sendable {
  /// The operator's contacts and notices. Nil members are not set.
  package struct About: Sendable {
    /// The server's name. Nil is "Rowhouse".
    package var name: String?
    /// The operator or publisher.
    package var company: String?
    package var copyright: String?
    /// The legal notice, in any number of lines.
    package var legal: String?
    package var licence: String?
    package var contact: String?
    package var support: String?
    package var credits: String?

    package init(
      name: String? = nil, company: String? = nil, copyright: String? = nil, legal: String? = nil,
      licence: String? = nil, contact: String? = nil, support: String? = nil,
      credits: String? = nil
    ) {
      self.name = name
      self.company = company
      self.copyright = copyright
      self.legal = legal
      self.licence = licence
      self.contact = contact
      self.support = support
      self.credits = credits
    }
  }

  /// The limits of request bodies.
  package struct BodyLimits: Sendable {
    /// Bytes of a body that has no limit of its own.
    package var usual = 1 << 20
    /// Bytes of a body from callers without a token.
    package var small = 4 << 10
    /// Bytes of a reorder's body.
    package var reorder = 8 << 20
    /// Bytes of a photo.
    package var photo = 20 << 20
    /// The highest limit of a photo that an operator can set.
    package static let highestPhoto = 1 << 30
    /// Bytes of a table.
    package var table = 16 << 20
    /// Bytes of an import.
    package var imported = 4 << 30
    /// The deepest nesting of JSON arrays and objects.
    package var depth = 64

    package init() {}

    func size(_ rule: Route.BodyRule) -> Int {
      switch rule {
      case .none, .optional, .required: usual
      case .requiredSmall: small
      case .requiredLarge: reorder
      case .table: table
      case .streamed: imported
      case .image: photo
      case .rendition: RenditionSize.screen.limit
      }
    }
  }

  /// Allows browsers to call the server from pages of these origins.
  package mutating func allow(_ origins: [Origin]) { site.crossOrigins = CrossOrigins(origins) }

  package var basePath = BasePath.none
  package var bodies = BodyLimits()
  /// Hosts that requests may name in addition to loopback's, without ports.
  package var allowedHosts: [String] {
    get { site.allowedHosts }
    set { site.allowedHosts = newValue.map { $0.lowercased() } }
  }
  var site = OriginPolicy()
  /// Seconds until a deleted row is purged. Nil: never.
  package var trashTime: Int64? = 30 * 86_400
  /// The cache of pages of rows. Shared by all loops.
  package var pages = PageCache(limit: 8 << 20)
  /// The running photo uploads. Shared by all loops, because a slow upload holds memory for long.
  package var uploads = Quota(1_000)
  package var name: String { about.name ?? "Rowhouse" }
  /// The unnamed temporary files in which transfers are spooled.
  package var spools = SpoolRoom()
  /// Logs why a transfer got no temporary file. Called from any thread.
  package var onSpoolFault: @Sendable (String) -> Void = { _ in }
  /// The thread that writes imports to the temporary files. Shared by all loops.
  let spooling = SpoolQueue()
  /// The imports and tables being read. Shared by all loops.
  let imports = TransferQueue()
  /// Answers requests with large bodies for all loops. Nil in the handler that does this work.
  var largeBodies: LargeBodies? = LargeBodies()
  /// Counts and limits the open event streams. Shared by all loops.
  package var eventStreams = EventStreamLimit(1_000)
  /// The source of `/metrics`. Nil: there are no metrics.
  package var metrics: (any MetricsSource)?
  /// The time after which a pass over the event streams on a loop ends. The next pass serves the remaining streams.
  package var eventPass: Duration = .milliseconds(4)
  /// Milliseconds between the heartbeats of an event stream.
  package var eventHeartbeat: Int64 = 15_000
  package var version: String
  package var build: String?
  package var about: About
  /// Whether a write by index needs `If-Match` or the row's id. A write without both is refused with 428.
  package var requiresPreconditions: Bool
  /// The caller of requests that do not authenticate and need not.
  package var defaultCaller: Caller
  /// Whether every request needs a token, even if none has been created.
  package var demandsTokens = false
  /// Whether requests without a token are accepted although tokens exist.
  package var isOpen = false
  /// What test suites may do with the server. Nil: it is not in test mode.
  package var harness: TestHarness?
  /// Whether calls below `/v1/test` need no token.
  var letsTestsIn: Bool { harness != nil && !demandsTokens }
  /// The listener whose clients are the server's administrators; see `Peer.listener`.
  package var administratorsListener: Int?

  package init(
    version: String, build: String? = nil, about: About = About(),
    requiresPreconditions: Bool = false, defaultCaller: Caller = .local
  ) {
    self.version = version
    self.build = build
    self.about = about
    self.requiresPreconditions = requiresPreconditions
    self.defaultCaller = defaultCaller
  }
}

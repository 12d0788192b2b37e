import Inventory

/// What one server says of itself, and what it demands.
package struct Configuration: Sendable {
  /// Whom the people that use this server turn to, and what it is made of; null is not said.
  package struct About: Sendable {
    /// What the server is called; nil: "Rowhouse".
    package var name: String?
    /// Who runs it, or made what is in it.
    package var company: String?
    package var copyright: String?
    /// What has to be said by law, in as many lines as it takes.
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

  /// What bodies of requests may be like.
  package struct BodyLimits: Sendable {
    /// In bytes.
    package var usual = 1 << 20
    /// A reorder's, in bytes.
    package var reorder = 8 << 20
    /// A photo's, in bytes.
    package var photo = 20 << 20
    /// A table's, in bytes.
    package var table = 16 << 20
    /// An import's, in bytes.
    package var imported = 4 << 30
    /// How deep arrays and objects may be in each other.
    package var depth = 64

    package init() {}

    func size(_ rule: Route.BodyRule) -> Int {
      switch rule {
      case .none, .optional, .required: usual
      case .requiredLarge: reorder
      case .table: table
      case .streamed: imported
      case .image: photo
      }
    }
  }

  /// Lets pages of these origins speak to the server from browsers.
  package mutating func allow(_ origins: [Origin]) { site.crossOrigins = CrossOrigins(origins) }

  package var basePath = BasePath.none
  package var bodies = BodyLimits()
  /// Hosts beside loopback's that requests may name, without ports.
  package var allowedHosts: [String] {
    get { site.allowedHosts }
    set { site.allowedHosts = newValue.map { $0.lowercased() } }
  }
  var site = OriginPolicy()
  /// Seconds after which what was deleted is gone for good; nil: never.
  package var trashTime: Int64? = 30 * 86_400
  /// Shared by all loops.
  package var pages = PageCache(limit: 32 << 20)
  /// Shared by all loops; each upload takes some memory, however slow it is.
  package var uploads = Quota(1_000)
  package var name: String { about.name ?? "Rowhouse" }
  /// The files, seen in no folder, that transfers wait in.
  package var spools = SpoolRoom()
  /// Called, from any thread, with what keeps a transfer from getting such a file, for the log.
  package var onSpoolFault: @Sendable (String) -> Void = { _ in }
  /// Who writes imports there, for all loops.
  let spooling = SpoolQueue()
  /// The imports and tables being read; shared by all loops.
  let imports = TransferQueue()
  /// Who answers requests with large bodies, for all loops; nil for that one itself.
  var largeBodies: LargeBodies? = LargeBodies()
  /// Shared by all loops.
  package var eventStreams = EventStreamLimit(1_000)
  /// Where `/metrics` has its figures from; nil: there are none.
  package var metrics: (any MetricsSource)?
  /// Between an event stream's comments, in milliseconds.
  package var eventHeartbeat: Int64 = 15_000
  package var version: String
  package var build: String?
  package var about: About
  /// Whether a write by index takes an `If-Match` or the row's id (428 without).
  package var requiresPreconditions: Bool
  /// Who asks where a request does not say, and need not.
  package var defaultCaller: Caller
  /// Whether every request must show a token, even while there is none.
  package var demandsTokens = false
  /// Whether requests without a token are let in although there are tokens.
  package var isOpen = false
  /// The store, where a test suite may keep and bring back its state; nil: nobody may.
  package var rewindable: (any RewindableStore)?
  /// Whether a test suite needs no token to bring back the store's state.
  var letsTestsRewind: Bool { rewindable != nil && !demandsTokens }
  /// The server's listener whose clients are the server's administrators; see `Peer.listener`.
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

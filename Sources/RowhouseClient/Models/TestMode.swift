import Foundation

/// A rule by which a server that runs with `--test-mode` fails on purpose. Members about requests that are nil fit all.
public struct FaultRule: Codable, Sendable, Hashable {
  public enum Effect: String, Codable, Sendable, Hashable {
    /// The answer is a problem with `status`. The request is not handled.
    case refuse
    /// The connection ends before the request is handled.
    case disconnect
    /// The request is handled, and then the connection ends without an answer.
    case loseAnswer
    /// The connection ends after `bytes` of the answer's body.
    case cutAnswer
    /// The event stream stays open but sends nothing more, after `events` or `milliseconds`.
    case stallEvents
    /// The connection of the event stream ends, after `events` or `milliseconds`.
    case cutEvents
  }

  public var method: String?
  /// The path, where `*` stands for any one segment, and `**` at the end for any number of them.
  public var path: String?
  /// The path of an operation of the OpenAPI document, such as `/v1/lists/{listId}/rows`.
  public var route: String?
  public var listID: Rowhouse.List.ID?
  /// Only the matching request of this number, counted from 1.
  public var nth: Int?
  /// The share of matching requests, 0 to 1 with at most two decimals.
  public var share: Decimal?
  /// Milliseconds before the request is handled.
  public var delay: Int?
  /// Nil: only the delay.
  public var effect: Effect?
  public var status: Int?
  public var bytes: Int?
  public var events: Int?
  public var milliseconds: Int?
  /// The requests that the rule has been about, and those that it has hit. Only in answers.
  public var matched: Int?
  public var hits: Int?

  public init(
    _ effect: Effect? = nil, method: String? = nil, path: String? = nil, route: String? = nil,
    listID: Rowhouse.List.ID? = nil, nth: Int? = nil, share: Decimal? = nil, delay: Int? = nil,
    status: Int? = nil, bytes: Int? = nil, events: Int? = nil, milliseconds: Int? = nil
  ) {
    self.effect = effect
    self.method = method
    self.path = path
    self.route = route
    self.listID = listID
    self.nth = nth
    self.share = share
    self.delay = delay
    self.status = status
    self.bytes = bytes
    self.events = events
    self.milliseconds = milliseconds
  }

  private enum CodingKeys: String, CodingKey {
    case method, path, route, nth, share, delay, effect, status, bytes, events, milliseconds
    case matched, hits
    case listID = "listId"
  }
}

/// A request that a server with `--test-mode` was asked.
public struct RecordedRequest: Codable, Sendable, Hashable {
  public var method: String
  /// With the query.
  public var path: String
  /// Nil: there is no answer.
  public var status: Int?
  /// The first 8 KiB of the body; nil without a body that is text.
  public var body: String?
  public var bodySize: Int
  public var effect: FaultRule.Effect?
  public var delay: Int
}

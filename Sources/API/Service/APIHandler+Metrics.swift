import HTTP
import Inventory

extension APIHandler {
  /// `GET /metrics`: for an administrator's token, and for whoever needs none and is on the server's machine.
  func metrics(_ exchange: Exchange) throws(Problem) -> Reply {
    guard exchange.caller.role >= .admin else {
      throw Problem(InventoryError.roleForbids(needed: .admin))
    }
    guard exchange.caller.token != nil || exchange.head.peer?.isOfThisMachine != false else {
      throw Problem(
        .roleForbids, "From another machine, metrics need an administrator's token.")
    }
    try exchange.refuseParameters()
    guard let source = configuration.metrics else { return .response(exchange.metrics([])) }
    let streams = streamMetrics
    source.measure { families in
      exchange.responder.send(exchange.metrics(families + streams))
    }
    return .deferred
  }

  private var streamMetrics: [MetricFamily] {
    let streams = configuration.eventStreams
    return [
      MetricFamily(
        .gauge, "rowhouse_event_streams", "Open event streams.", .whole(streams.open)),
      MetricFamily(
        .counter, "rowhouse_event_streams_opened_total", "Opened event streams.",
        .whole(streams.opened)),
      MetricFamily(
        .counter, "rowhouse_event_streams_dropped_total",
        "Event streams closed because their clients did not read.",
        .whole(streams.dropped)),
    ]
  }
}

extension Exchange {
  fileprivate func metrics(_ families: [MetricFamily]) -> Response {
    audience.text(MetricsText.mediaType, MetricsText.encode(families))
  }
}

extension Peer {
  /// Whether it came by a Unix socket or by a loopback address.
  fileprivate var isOfThisMachine: Bool {
    switch family {
    case .unix: true
    case .v4: high >> 56 == 127
    case .v6: high == 0 && low == 1
    }
  }
}

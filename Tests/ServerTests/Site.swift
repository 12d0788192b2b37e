import Glibc
import HTTP
import Server
import Testing

/// A running server with its desk and its clock, which ends with the test.
final class Site {
  let server: HTTPServer
  let desk = Desk()
  let time = ManualTime()
  private let control: Client

  init(
    loops: Int = 1, addresses: [ListenAddress] = [.v4("127.0.0.1", port: 0)],
    reserved: Int? = nil, accepting: FailingAccepts? = nil, observer: (any AccessObserver)? = nil,
    _ adjust: (inout Limits) -> Void = { _ in }
  ) throws {
    var limits = Limits()
    adjust(&limits)
    var configuration = HTTPServer.Configuration(addresses: addresses)
    configuration.loops = loops
    configuration.limits = limits
    configuration.time = time
    configuration.observer = observer
    configuration.reservedAddress = reserved
    if let accepting { configuration.acceptCall = accepting.call }
    server = HTTPServer(configuration) { [desk] _, waker in
      DeskHandler(desk, waker)
    }
    try server.bind()
    try server.start()
    control = try Client(server.addresses[0])
    try settle()
  }

  deinit { server.shutdown(deadline: 0) }

  var address: ListenAddress { server.addresses[0] }

  func client() throws -> Client { try Client(address) }

  /// Returns when a server of one loop has seen to everything that was there before, timers among it.
  func settle() throws {
    control.get("/settle")
    try #require(try control.answer()?.text == "settle")
  }

  func advance(_ milliseconds: Int64) throws {
    time.advance(milliseconds)
    try settle()
  }
}

import HTTP
import Inventory
import JSON
import Support
import Testing

@testable import API

@Suite("The passes over event streams")
struct EventPassTests {
  /// A service whose passes end only by the bytes that they send, however busy the machine is.
  private func untimed() throws -> Service {
    try Service(eventStreams: 200) { $0.eventPass = .seconds(1_000_000) }
  }

  /// Two passes at once could send the older of two events, with none to follow.
  @Test func `run one at a time`() throws {
    let store = ArrayStore()
    let held = HeldReadStore(store, isHolding: false)
    let service = try Service(store: store, asking: held)
    let list = try service.makeList(things: ["a"])
    let stream = try service.follow(list.path + "/events")
    #expect(stream.events().isEmpty)
    try service.makeThing("b", in: list.id)
    held.setIsHolding(true)
    service.endWakeUp()
    held.setIsHolding(false)
    try service.makeThing("c", in: list.id)
    #expect(stream.events().isEmpty)
    #expect(held.letGo() == 1)
    #expect(stream.events().map(\.event) == ["change"])
  }

  /// What is sent takes the loop's time, too.
  @Test func `end after a mebibyte, so that large events take several`() throws {
    let service = try Service(eventStreams: 200)
    let list = try service.makeList()
    let streams = try (0..<80).map { _ in try service.follow(list.path + "/events") }
    for stream in streams { #expect(stream.events().isEmpty) }
    for number in 0..<40 {
      try service.makeThing(String(repeating: "a", count: 180) + "\(number)", in: list.id)
    }
    var sizes: [Int] = []
    var served: Set<Int> = []
    for _ in 0..<1_000 where served.count < streams.count {
      service.endWakeUp()
      var sent = 0
      for (number, stream) in streams.enumerated() {
        var bytes: [UInt8] = []
        _ = stream.source.pull(into: &bytes, limit: .max)
        // Between events, heartbeats are due.
        guard bytes.count > 1_000 else { continue }
        served.insert(number)
        sent += bytes.count
        sizes.append(bytes.count)
      }
      #expect(sent <= 1_048_576 + (sizes.max() ?? 0))
    }
    #expect(sizes.count == streams.count)
    #expect(sizes.reduce(0, +) > 2 << 20)
  }

  /// They need too many steps for a pass on the loop.
  @Test func `on the workers come to every stream, although the first are behind again`() throws {
    let service = try untimed()
    let list = try service.makeList()
    let streams = try (0..<40).map { _ in try service.follow(list.path + "/events") }
    for stream in streams { #expect(stream.events().isEmpty) }
    var served: Set<Int> = []
    for round in 0..<6 where served.count < streams.count {
      for number in 0..<120 {
        let name = String(repeating: "a", count: 180)
        try service.makeThing("\(name) \(round) \(number)", in: list.id)
      }
      service.endWakeUp()
      for (number, stream) in streams.enumerated() {
        var bytes: [UInt8] = []
        _ = stream.source.pull(into: &bytes, limit: .max)
        if bytes.count > 1_000 { served.insert(number) }
      }
    }
    #expect(served.count == streams.count)
  }

  /// Otherwise one caller's many streams with large events would hold up those of others for seconds.
  @Test func `on the workers take turns by token`() throws {
    let service = try untimed()
    let list = try service.makeList()
    var callers: [Fields] = []
    for name in ["Sam", "Kim"] {
      let (credential, text) = Credential.random()
      service.store.administer(
        .createToken(NewToken(credential: credential, name: name, role: .admin)), as: .local
      ) { _ in }
      callers.append(["Authorization": "Bearer \(text)"])
    }
    let many = try (0..<100).map { _ in try service.follow(list.path + "/events", callers[0]) }
    let one = try service.follow(list.path + "/events", callers[1])
    for stream in many + [one] { #expect(stream.events().isEmpty) }
    for number in 0..<120 {
      let body: JSONValue = ["name": .string(String(repeating: "a", count: 180) + "\(number)")]
      #expect(try service.send(.post, list.path + "/items", body, callers[0]).status == 201)
    }
    func isServed(_ stream: FollowedStream) -> Bool {
      var bytes: [UInt8] = []
      _ = stream.source.pull(into: &bytes, limit: .max)
      return bytes.count > 1_000
    }
    service.endWakeUp()
    let served = many.count(where: isServed)
    #expect(isServed(one))
    #expect(0 < served && served < many.count)
  }
}

import CLinux
import Glibc
import HTTP

/// The system call that accepts a connection. Returns a descriptor, or -1 and `errno`.
package typealias AcceptCall =
  @Sendable (
    _ listener: Int32, UnsafeMutablePointer<sockaddr_storage>?, UnsafeMutablePointer<socklen_t>?
  ) -> Int32

/// Accepts connections from the listeners of one loop. Pauses while the server has no room or no descriptors for more.
struct Acceptor: ~Copyable {
  private let listeners: [Listener]
  /// The listener whose clients are accepted even if the server is full.
  private let reserved: Int?
  private let gate: ConnectionGate
  private let poller: Poller
  private let acceptCall: AcceptCall
  /// Gives a place back to the gate, and wakes loops that wait for one.
  private let leave: () -> Void
  /// A spare descriptor. It is closed for a moment to reject a client when descriptors run out. Otherwise that client
  /// would wait.
  private var spare: Descriptor?
  /// Whether each listener is watched.
  private var watched: [Bool]
  /// Whether the server was full when a client wanted to connect.
  private(set) var isWaitingForRoom = false
  private var isStopped = false
  /// When to accept again after descriptors ran out.
  private(set) var retryTime: Int64?
  /// Connections closed at once because there was no descriptor for them.
  private(set) var turnedAway = 0

  init(
    listeners: [Listener], reserved: Int?, gate: ConnectionGate, poller: Poller,
    acceptCall: @escaping AcceptCall, leave: @escaping () -> Void
  ) {
    self.listeners = listeners
    self.reserved = reserved
    watched = listeners.map { _ in false }
    self.acceptCall = acceptCall
    self.leave = leave
    self.gate = gate
    self.poller = poller
    spare = Acceptor.openSpare()
  }

  private static func openSpare() -> Descriptor? {
    let raw = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return raw >= 0 ? Descriptor(raw) : nil
  }

  /// Whether a client waits and there is no room for it. Another loop may have accepted the one that this loop was woken
  /// for, or have made room.
  var needsRoom: Bool {
    listeners.indices.contains {
      !gate.hasRoom(isReserved: $0 == reserved) && listeners[$0].hasClient
    }
  }

  private mutating func resume(_ index: Int) {
    guard !watched[index] else { return }
    let key = EventLoop.listenerKeys + UInt64(index)
    watched[index] = poller.add(
      listeners[index].raw, Poller.input | Poller.exclusive, key: key)
  }

  private mutating func pause() {
    for index in listeners.indices { pause(index) }
  }

  /// Removes the listener from epoll, because an entry with `EPOLLEXCLUSIVE` cannot be changed.
  private mutating func pause(_ index: Int) {
    guard watched[index] else { return }
    watched[index] = false
    poller.remove(listeners[index].raw)
  }

  mutating func stop() {
    pause()
    for listener in listeners { listener.refuse() }
    isStopped = true
    retryTime = nil
    if isWaitingForRoom { gate.stopWaiting() }
    isWaitingForRoom = false
    spare = nil
  }

  /// Begins to accept. After a pause, resumes if the server has room again, or no client waits, and the time to retry has
  /// come.
  mutating func reconsider(limits: Limits, now: Int64) {
    guard !isStopped else { return }
    if let retry = retryTime, now >= retry {
      retryTime = nil
      if spare == nil { spare = Acceptor.openSpare() }
    }
    guard retryTime == nil else { return }
    for index in listeners.indices
    where !isWaitingForRoom || gate.hasRoom(isReserved: index == reserved)
      || !listeners[index].hasClient
    {
      resume(index)
      // The kernel has no room for another watch (epoll_ctl(2)).
      if !watched[index] { retryTime = now + limits.descriptorPause }
    }
    if isWaitingForRoom, !watched.contains(false) {
      isWaitingForRoom = false
      gate.stopWaiting()
    }
  }

  mutating func accept(
    from index: Int, limits: Limits, now: Int64
  ) -> (raw: Int32, peer: Peer)? {
    guard !isStopped, listeners.indices.contains(index) else { return nil }
    guard gate.enter(isReserved: index == reserved) else {
      for other in listeners.indices where other != reserved || index == reserved { pause(other) }
      if !isWaitingForRoom {
        isWaitingForRoom = true
        gate.startWaiting()
      }
      return nil
    }
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let raw = acceptCall(listeners[index].raw, &address, &length)
    guard raw >= 0 else {
      let error = errno
      leave()
      if error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM {
        turnAway(from: listeners[index].raw)
        pause()
        retryTime = now + limits.descriptorPause
      }
      // EAGAIN: another loop was faster. After ECONNABORTED, EINTR and network errors, the next call may succeed.
      return nil
    }
    return (raw, Peer(address, listener: index))
  }

  /// Accepts one of the connections in the kernel's queues.
  mutating func acceptQueued(limits: Limits, now: Int64) -> (raw: Int32, peer: Peer)? {
    for index in listeners.indices {
      if let accepted = accept(from: index, limits: limits, now: now) { return accepted }
    }
    return nil
  }

  /// Closes one client's connection at once, using the spare descriptor.
  private mutating func turnAway(from listener: Int32) {
    guard spare != nil else { return }
    spare = nil
    let raw = acceptCall(listener, nil, nil)
    if raw >= 0 {
      close(raw)
      turnedAway += 1
    }
    spare = Acceptor.openSpare()
  }
}

extension Peer {
  fileprivate init(_ storage: sockaddr_storage, listener: Int) {
    var storage = storage
    let family = Int32(storage.ss_family)
    self = withUnsafeBytes(of: &storage) { bytes in
      switch family {
      case AF_INET:
        let address = bytes.loadUnaligned(as: sockaddr_in.self)
        return Peer(
          family: .v4, listener: listener,
          high: UInt64(UInt32(bigEndian: address.sin_addr.s_addr)) << 32,
          port: UInt16(bigEndian: address.sin_port))
      case AF_INET6:
        let port = bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
        let high = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let low = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        return Peer(
          family: .v6, listener: listener, high: UInt64(bigEndian: high),
          low: UInt64(bigEndian: low), port: UInt16(bigEndian: port))
      default:
        return Peer(family: .unix, listener: listener)
      }
    }
  }
}

import HTTP

/// Finds a request's route in a tree of path segments, built from the table of routes.
struct Router: Sendable {
  /// One place in the tree. Paths can end here, continue, or both.
  private struct Node: Sendable {
    var literals: [(text: [UInt8], node: Int)] = []
    var placeholder: (kind: PathValues.Placeholder, node: Int)?
    var routes: [(method: Method, route: Int)] = []
    /// The value of the `Allow` field.
    var allowed = ""
  }

  enum Match: Sendable {
    case route(Route, PathValues)
    /// OPTIONS for a known path, with the methods that it allows.
    case options(allowed: String)
    case methodNotAllowed(allowed: String)
    case notFound
  }

  private var nodes = [Node()]
  private let table: [Route]

  init(_ table: [Route]) {
    self.table = table
    for (position, route) in table.enumerated() {
      var node = 0
      for segment in route.template.utf8.split(separator: UInt8(ascii: "/")) {
        node = child(of: node, String(decoding: segment, as: UTF8.self))
      }
      nodes[node].routes.append((route.method, position))
    }
    for node in nodes.indices where !nodes[node].routes.isEmpty {
      var names = nodes[node].routes.map(\.method.name)
      if let get = names.firstIndex(of: "GET") { names.insert("HEAD", at: get + 1) }
      nodes[node].allowed = (names + ["OPTIONS"]).joined(separator: ", ")
    }
  }

  private mutating func child(of parent: Int, _ segment: String) -> Int {
    if let kind = PathValues.Placeholder(rawValue: segment) {
      if let present = nodes[parent].placeholder {
        precondition(present.kind == kind, "Two placeholders at one place: \(segment)")
        return present.node
      }
      nodes[parent].placeholder = (kind, nodes.count)
    } else {
      let text = Array(segment.utf8)
      if let present = nodes[parent].literals.first(where: { $0.text == text }) {
        return present.node
      }
      nodes[parent].literals.append((text, nodes.count))
    }
    nodes.append(Node())
    return nodes.count - 1
  }

  func match(_ head: RequestHead) -> Match {
    if head.isAboutServer { return .options(allowed: Self.everything) }
    var path = head.rawPath
    if path.contains(UInt8(ascii: "%")) {
      path = Array(("/" + head.segments().joined(separator: "/")).utf8)[...]
    }
    var values = PathValues()
    guard let node = find(path, &values), !nodes[node].routes.isEmpty else { return .notFound }
    let method = head.method == .head ? .get : head.method
    for route in nodes[node].routes where route.method == method {
      return .route(table[route.route], values)
    }
    return method == .options
      ? .options(allowed: nodes[node].allowed) : .methodNotAllowed(allowed: nodes[node].allowed)
  }

  private static let everything = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

  private func find(_ path: ArraySlice<UInt8>, _ values: inout PathValues) -> Int? {
    var node = 0
    var start = path.startIndex + 1
    while start < path.endIndex {
      let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
      guard let next = step(from: node, path[start..<end], &values) else { return nil }
      node = next
      start = end + 1
    }
    return node
  }

  private func step(
    from node: Int, _ segment: ArraySlice<UInt8>, _ values: inout PathValues
  ) -> Int? {
    for literal in nodes[node].literals
    where literal.text.count == segment.count && segment.elementsEqual(literal.text) {
      return literal.node
    }
    guard !segment.isEmpty, let placeholder = nodes[node].placeholder,
      values.take(placeholder.kind, segment)
    else { return nil }
    return placeholder.node
  }
}

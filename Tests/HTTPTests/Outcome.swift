import HTTP

/// What a parser made of some bytes, in order.
enum Outcome: Equatable, CustomStringConvertible {
  /// Method, target and body of a whole request.
  case request(String, String, body: String)
  case fault(RequestFault)
  /// A request had begun and did not end.
  case unfinished

  static func get(_ target: String) -> Outcome { .request("GET", target, body: "") }
  static func post(_ body: String) -> Outcome { .request("POST", "/", body: body) }

  var description: String {
    switch self {
    case .request(let method, let target, let body): "\(method) \(target) \(body)"
    case .fault(let fault): "\(fault)"
    case .unfinished: "unfinished"
    }
  }
}

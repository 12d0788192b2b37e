import HTTP
import JSON
import Testing

@testable import API

/// The document that the server describes itself with, held against what it does.
enum Contract {
  static let document = OpenAPIDocument.json
  static let check = SchemaCheck(document: document)
  private static let router = Router(Route.all)

  /// The operation of a method and a template; nil where none is described.
  static func operation(_ method: String, _ template: String) -> JSONValue? {
    JSONPointer(tokens: ["paths", template, method.lowercased()]).evaluate(document)
  }

  /// Follows a reference, if it is one.
  static func resolved(_ value: JSONValue?) -> JSONValue? {
    guard case .string(let reference) = value?["$ref"] else { return value }
    return check[reference]
  }

  /// Records where an answer is not as the document says.
  static func hold(_ answer: Answer, to head: RequestHead, body: [UInt8]) {
    guard case .route(let route, _) = router.match(head),
      Route.described.contains(where: { $0.template == route.template })
    else { return }
    let name = "\(route.method.name) \(route.template)"
    guard let operation = operation(route.method.name, route.template) else {
      Issue.record("\(name) is described nowhere: say in Sources/API/Files/openapi what it does")
      return
    }
    guard let response = resolved(operation["responses"]?[String(answer.status)]) else {
      Issue.record("\(name) answers \(answer.status) \(answer.code ?? ""), undescribed")
      return
    }
    for fault in faults(of: answer, by: response) where head.method != .head {
      Issue.record("\(name) answers \(answer.status): \(fault)")
    }
    if (200..<300).contains(answer.status), let value = try? JSONReader.parse(body),
      body.count < largest
    {
      for fault in faults(of: value, sentTo: operation) {
        Issue.record("\(name) takes what its body is not to be: \(fault)")
      }
    }
  }

  // Checking takes longer than answering; what is true of a hundred rows is true of ten thousand.
  private static let largest = 64 << 10

  private static func faults(of answer: Answer, by response: JSONValue) -> [String] {
    var faults: [String] = []
    if case .object(let headers) = response["headers"] {
      for (name, header) in headers.members
      where resolved(header)?["required"] == true && answer.fields[name] == nil {
        faults.append("\(name) is missing")
      }
    }
    let type = answer.fields["content-type"].map { String($0.prefix { $0 != ";" }) }
    guard case .object(let content) = response["content"] else {
      return answer.body.isEmpty ? faults : faults + ["there is a body"]
    }
    guard let type, let media = content[type] else {
      return faults + ["the type is \(type ?? "missing")"]
    }
    guard ["application/json", "application/problem+json"].contains(type),
      answer.body.count < largest, let schema = media["schema"]
    else {
      return faults
    }
    guard let json = answer.json else { return faults + ["the body is no JSON"] }
    return faults + check.faults(of: json, by: schema)
  }

  static func faults(of body: JSONValue, sentTo operation: JSONValue) -> [String] {
    guard let schema = operation["requestBody"]?["content"]?["application/json"]?["schema"] else {
      return []
    }
    return check.faults(of: body, by: schema)
  }
}

extension JSONValue {
  /// The value of an object's member; nil where there is none.
  subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }
}

import HTTP

/// What a problem means, as a page for a person: where the `type` of a problem leads.
struct ProblemPage: Sendable {
  let code: String
  let status: Int
  let title: String
  let explanation: String

  init?(code: String, in language: Language) {
    self.code = code
    if let known = ProblemCode(rawValue: code) {
      status = known.status
      title = language.texts.title(known)
      explanation = language.texts.explanation(known)
    } else if let fault = RequestFault.allCases.first(where: { $0.code == code }) {
      // What the server itself refuses, before a request gets as far as to have a language.
      status = fault.status
      title = ProblemPage.title(of: code)
      explanation = fault.detail
    } else {
      return nil
    }
  }

  /// `header_too_large` as "Header too large".
  static func title(of code: String) -> String {
    let words = code.split(separator: "_").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  func response(for audience: Audience) -> Response {
    Self.response(
      title: title,
      main: """
        <h1>\(Self.escaped(title))</h1>
        <p>\(Self.escaped(explanation))</p>
        <p><code>\(Self.escaped(code))</code>, status \(status).
        <a href="/problems">\(Self.escaped(audience.language.texts.problems))</a></p>
        """, for: audience)
  }

  /// The list of all problems.
  static func index(for audience: Audience) -> Response {
    let language = audience.language
    let faultCodes = RequestFault.allCases.map(\.code)
      .filter { ProblemCode(rawValue: $0) == nil }
    var seen: Set<String> = []
    let pages = (ProblemCode.allCases.map(\.rawValue) + faultCodes)
      .filter { seen.insert($0).inserted }
      .compactMap { ProblemPage(code: $0, in: language) }
    let entries = pages.map { page in
      "<li><a href=\"/problems/\(page.code)\"><code>\(page.code)</code></a> \(page.status): "
        + "\(escaped(page.title))</li>"
    }
    let title = language.texts.problems
    return response(
      title: title,
      main: "<h1>\(escaped(title))</h1>\n<ul>\n\(entries.joined(separator: "\n"))\n</ul>",
      for: audience)
  }

  private static let style = """
    body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}\
    :root{color-scheme:light dark}
    """
  private static let fields = PageHeaders.fields(style: style)

  private static func response(title: String, main: String, for audience: Audience) -> Response {
    let page = """
      <!doctype html>
      <html lang="\(audience.language.rawValue)" dir="\(audience.language.texts.direction.rawValue)">
      <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>\(escaped(title))</title>
      <style>\(style)</style></head>
      <body><main>
      \(main)
      </main></body></html>

      """
    return audience.page(Array(page.utf8), fields)
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

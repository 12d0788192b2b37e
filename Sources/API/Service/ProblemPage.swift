import HTTP

/// A page that explains a problem code to people. The `type` of a problem links to it.
struct ProblemPage: Sendable {
  let code: String
  let status: Int
  let title: String
  let explanation: String
  /// The page's language. Some errors of the HTTP server are explained only in English.
  let language: Language

  init?(code: String, in language: Language) {
    self.code = code
    if let known = ProblemCode(rawValue: code) {
      status = known.status
      title = language.texts.title(known)
      explanation = language.texts.explanation(known)
      self.language = language
    } else if let fault = RequestFault.allCases.first(where: { $0.code == code }) {
      // An error of the HTTP server.
      let texts = language.texts.fault(fault)
      status = fault.status
      title = texts?.title ?? ProblemPage.title(of: code)
      explanation = texts?.explanation ?? fault.detail
      self.language = texts == nil ? .english : language
    } else {
      return nil
    }
  }

  /// The title of a code: "Header too large" for `header_too_large`.
  static func title(of code: String) -> String {
    let words = code.split(separator: "_").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  func response(for reader: ResponseContext) -> Response {
    var context = reader
    context.language = language
    return Self.response(
      title: title,
      main: """
        <h1>\(Self.escaped(title))</h1>
        <p>\(Self.escaped(explanation))</p>
        <p><code>\(Self.escaped(code))</code>, status \(status).
        <a href="\(context.base.text)/problems">\(Self.escaped(context.language.texts.problems))</a></p>
        """, for: context)
  }

  /// The page at an address that leads nowhere, with a link to the web app.
  static func nothingHere(for context: ResponseContext) -> Response {
    let texts = context.language.texts
    return wayOut(404, texts.title(.notFound), texts.explanation(.notFound), for: context)
  }

  /// The page at an address that the HTTP server refuses, with a link to the web app.
  static func refusal(_ fault: RequestFault, for reader: ResponseContext) -> Response {
    var context = reader
    let texts = context.language.texts.fault(fault)
    if texts == nil { context.language = .english }
    return wayOut(
      fault.status, texts?.title ?? title(of: fault.code), texts?.explanation ?? fault.detail,
      for: context)
  }

  private static func wayOut(
    _ status: Int, _ title: String, _ explanation: String, for context: ResponseContext
  ) -> Response {
    var response = response(
      title: title,
      main: """
        <h1>\(escaped(title))</h1>
        <p>\(escaped(explanation))</p>
        <p><a href="\(context.base.text)/">Rowhouse</a></p>
        """, for: context)
    response.status = status
    return response
  }

  /// The page that lists all problems.
  static func index(for context: ResponseContext) -> Response {
    let language = context.language
    let faultCodes = RequestFault.allCases.map(\.code)
      .filter { ProblemCode(rawValue: $0) == nil }
    var seen: Set<String> = []
    let pages = (ProblemCode.allCases.map(\.rawValue) + faultCodes)
      .filter { seen.insert($0).inserted }
      .compactMap { ProblemPage(code: $0, in: language) }
    let entries = pages.map { page in
      "<li><a href=\"\(context.base.text)/problems/\(page.code)\"><code>\(page.code)</code></a> \(page.status): "
        + page.titleInside(language) + "</li>"
    }
    let title = language.texts.problems
    return response(
      title: title,
      main: "<h1>\(escaped(title))</h1>\n<ul>\n\(entries.joined(separator: "\n"))\n</ul>",
      for: context)
  }

  /// The title as HTML, marked with its language if the page has another.
  private func titleInside(_ other: Language) -> String {
    let text = Self.escaped(title)
    if language == other { return text }
    let direction = language.texts.direction.rawValue
    return "<span lang=\"\(language.rawValue)\" dir=\"\(direction)\">\(text)</span>"
  }

  private static let style = """
    :root{color-scheme:light dark}\
    body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;\
    overflow-wrap:anywhere;color:light-dark(#1b2026,#e9ecef);background:light-dark(#f1f3f5,#0f1113)}\
    h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}\
    a{color:light-dark(#2f5d7c,#8fc1e3)}\
    ul{padding-inline-start:1.25rem}\
    li{margin-block:.35rem}
    """
  private static let fields = PageHeaders.fields(style: style)

  private static func response(title: String, main: String, for context: ResponseContext)
    -> Response
  {
    let page = """
      <!doctype html>
      <html lang="\(context.language.rawValue)" dir="\(context.language.texts.direction.rawValue)">
      <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <link rel="icon" href="\(context.base.text)/icon.svg" type="image/svg+xml">
      <title>\(escaped(title)) – Rowhouse</title>
      <style>\(style)</style></head>
      <body><main>
      \(main)
      </main></body></html>

      """
    return context.page(Array(page.utf8), fields)
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

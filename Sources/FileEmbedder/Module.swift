import Foundation

/// A JavaScript module, split into what a bundle needs: its body without the comments that have lines of their own, and
/// its imports and exports.
///
/// Only the forms of `import` and `export` that the web app uses are understood. Any other form throws.
struct Module {
  /// The path below the folder of the files, such as `modules/main.js`.
  let path: String
  /// The static imports: the path of each module and the names taken from it.
  private(set) var imports: [(path: String, names: [String])] = []
  /// The paths of the modules that are imported when they are needed: `import('./menu.js')`.
  private(set) var later: [String] = []
  /// The names that the module itself declares and exports.
  private(set) var exports: [String] = []
  /// Those of `exports` that are function declarations, which can be called before their line is reached.
  private(set) var functions: [String] = []
  /// The lines of the body: those of each declaration, and of each other statement of the module.
  private var declarations: [[String]] = []

  var lines: [String] { declarations.flatMap(\.self) }

  init(path: String, text: String) throws {
    self.path = path
    var isComment = false
    var isExportedClass = false
    var statement = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let code = line.trimmingCharacters(in: .whitespaces)
      if isComment || code.hasPrefix("/*") {
        isComment = !code.hasSuffix("*/")
        continue
      }
      if code.isEmpty || code.hasPrefix("//") { continue }
      // Otherwise the spaces at the beginning of a line could belong to a text.
      guard code.count(where: { $0 == "`" }).isMultiple(of: 2) else {
        throw Failure("\(path):\(index + 1): a template must end in the line in which it begins")
      }
      do {
        if !statement.isEmpty || line.hasPrefix("import ") || line.hasPrefix("export {") {
          statement += statement.isEmpty ? code : " " + code
          guard statement.hasSuffix(";") else { continue }
          try note(statement)
          statement = ""
        } else if line.hasPrefix("export ") {
          isExportedClass = try addExported(code)
        } else if isExportedClass, line == "}" {
          add("};", isNew: false)
          isExportedClass = false
        } else {
          add(withLaterImports(code), isNew: !line.starts(with: /[\s})\]]/))
        }
      } catch let failure as Failure {
        throw Failure("\(path):\(index + 1): \(failure.description)")
      }
    }
  }

  private mutating func add(_ line: String, isNew: Bool) {
    if isNew || declarations.isEmpty { declarations.append([]) }
    declarations[declarations.count - 1].append(line)
  }

  /// The module without the declarations that `names` do not need.
  ///
  /// A declaration is needed if its name is one of `names`, or is in the text of a needed declaration. A statement that
  /// does not declare one name is always needed.
  func trimmed(to names: Set<String>) -> Module {
    func words(_ declaration: [String]) -> [String] {
      declaration.flatMap { $0.matches(of: /[\w$]+/).map { String($0.output) } }
    }
    func name(_ declaration: [String]) -> String? {
      declaration[0].prefixMatch(
        of: /(?:(?:async )?function\*? ?|class |const |let )?([\w$]+)(?: =|\(| \{| extends)/
      )
      .map { String($0.1) }
    }
    var isNeeded = declarations.map { name($0) == nil }
    var needed = names
    var count = -1
    while count != needed.count {
      count = needed.count
      for (index, declaration) in declarations.enumerated() {
        if let name = name(declaration), needed.contains(name) { isNeeded[index] = true }
        if isNeeded[index] { needed.formUnion(words(declaration)) }
      }
    }
    var trimmed = self
    trimmed.declarations = zip(declarations, isNeeded).filter(\.1).map(\.0)
    let left = Set(trimmed.declarations.compactMap(name))
    trimmed.exports.removeAll { !left.contains($0) }
    trimmed.functions.removeAll { !left.contains($0) }
    return trimmed
  }

  /// Notes `import { a, b } from './c.js';` and `export { a, b } from './c.js';`. `export { a, b };` says nothing new
  /// to a bundle, where every module can use all exported names.
  private mutating func note(_ statement: String) throws {
    guard
      let match = statement.wholeMatch(
        of: /(im|ex)port \{ ?([\w$, ]*?),? ?\}(?: from '([^']+)')?;/),
      match.1 == "ex" || match.3 != nil
    else { throw Failure("bundles do not understand `\(statement)`") }
    let names = match.2.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard names.allSatisfy({ !$0.contains(" ") }) else {
      throw Failure("import and export things by their own names, without `as`")
    }
    if let from = match.3 { imports.append((resolved(from), names)) }
  }

  /// Adds the first line of an exported declaration. Exported names are variables of the bundle, so that other modules
  /// see them. Returns whether the line begins a class that ends in another line.
  private mutating func addExported(_ code: String) throws -> Bool {
    let declaration = code.dropFirst("export ".count)
    if let match = declaration.prefixMatch(of: /(?:async )?function\*? ?([\w$]+)/) {
      exports.append(String(match.1))
      functions.append(String(match.1))
      add(withLaterImports(String(declaration)), isNew: true)
    } else if let match = declaration.prefixMatch(of: /class ([\w$]+)/) {
      exports.append(String(match.1))
      let isWhole = declaration.hasSuffix("}")
      add("\(match.1) = \(declaration)" + (isWhole ? ";" : ""), isNew: true)
      return !isWhole
    } else if let match = declaration.prefixMatch(of: /(?:const|let) ([\w$]+) = ?/) {
      exports.append(String(match.1))
      add(
        "\(match.1) = " + withLaterImports(String(declaration[match.range.upperBound...])),
        isNew: true)
    } else {
      throw Failure("bundles do not understand `\(code)`")
    }
    return false
  }

  /// The line with the imports of modules in the second file; see `Bundle`.
  private mutating func withLaterImports(_ code: String) -> String {
    for match in code.matches(of: /\bimport\('([^']+)'\)/) { later.append(resolved(match.1)) }
    return code.replacing(/\bimport\('[^']+'\)/, with: "$import()")
  }

  private func resolved(_ reference: some StringProtocol) -> String {
    let folder = URL(fileURLWithPath: "/" + path).deletingLastPathComponent()
    return String(folder.appendingPathComponent(String(reference)).standardized.path.dropFirst())
  }
}

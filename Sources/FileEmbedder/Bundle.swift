/// The web app's modules in two files: those that the first screen needs, and those that are imported later.
///
/// Each module is a block, so its own names are not seen by others. What modules export are variables of the file,
/// which keeps imports live, also in cycles. The blocks have the order in which a browser would run the modules. Above
/// each block is the name of its module, for people who follow a stack trace.
struct Bundle {
  static let firstName = "app.js"
  static let laterName = "later.js"

  let first: String
  let later: String

  /// - Parameter files: the texts of all files by their paths.
  init(main: String, files: [String: String]) throws {
    var modules: [String: Module] = [:]
    var order: [String] = []
    func add(_ path: String, from importer: String) throws {
      guard modules[path] == nil else { return }
      guard let text = files[path] else {
        throw Failure("\(importer) imports \(path), which does not exist")
      }
      let module = try Module(path: path, text: text)
      modules[path] = module
      for (imported, _) in module.imports { try add(imported, from: path) }
      order.append(path)
    }
    try add(main, from: "the page")
    let firstCount = order.count
    var checked = 0
    while checked < order.count {
      let path = order[checked]
      for imported in modules[path]?.later ?? [] { try add(imported, from: path) }
      checked += 1
    }
    let all = order.compactMap { modules[$0] }
    try Self.check(all)
    let initial = all[..<firstCount]
    let taken = Set(initial.flatMap(\.imports).flatMap(\.names))
    // The client is a library, of which the first screen needs little. The second file has a copy of its own.
    let libraries = initial.filter { $0.path.hasPrefix("client/") }
    let first = initial.map { $0.path.hasPrefix("client/") ? $0.trimmed(to: taken) : $0 }
    let rest = libraries + all[firstCount...]
    let known = Set(initial.flatMap(\.exports)).subtracting(libraries.flatMap(\.exports))
    let used = Set(rest.flatMap(\.imports).flatMap(\.names)).intersection(known).sorted()
    self.first = Self.importingLater + Self.text(first)
    later =
      "import { \((["$import"] + used).joined(separator: ", ")) } from './\(Self.firstName)';\n"
      + Self.text(rest)
  }

  /// Throws for a name that two modules export, and for an import of a name that no module exports.
  private static func check(_ modules: [Module]) throws {
    var home: [String: String] = [:]
    for module in modules {
      for name in module.exports {
        if let other = home.updateValue(module.path, forKey: name) {
          throw Failure("\(other) and \(module.path) both export \(name): rename one")
        }
      }
    }
    for module in modules {
      for name in module.imports.flatMap(\.names) where home[name] == nil {
        throw Failure("\(module.path) imports \(name), which no module exports")
      }
    }
  }

  /// The beginning of the first file: a function that imports the second file.
  ///
  /// A browser may not import a file again if it could not fetch it once (https://github.com/whatwg/html/issues/6768).
  /// So the function fetches the file first, which leaves it in the browser's cache. After the import, the function
  /// returns at once, so that the browser handles no key press before its callers go on.
  private static let importingLater = """
    export let $import = async () => {
    const response = await fetch(new URL('\(laterName)', import.meta.url));
    if (!response.ok) throw new TypeError(response.status);
    await response.arrayBuffer();
    const found = await import('./\(laterName)');
    $import = async () => found;
    return found;
    };

    """

  private static func text(_ modules: some Collection<Module>) -> String {
    let exports = modules.flatMap(\.exports).joined(separator: ", ")
    // A function in a block hides the variable of the same name, which only a function outside can set.
    let setters = modules.flatMap(\.functions).map { "\($0)(f) { \($0) = f; }," }
    let blocks = modules.map { module in
      (["{ // \(module.path)"] + module.functions.map { "$.\($0)(\($0));" } + module.lines + ["}"])
        .joined(separator: "\n")
    }
    return """
      let \(exports);
      const $ = {
      \(setters.joined(separator: "\n"))
      };
      \(blocks.joined(separator: "\n"))
      export { \(exports) };

      """
  }
}

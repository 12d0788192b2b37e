import Foundation
import Support

/// A disk below one database that fails on demand, and tells what was written to it: `faulty-disk.c`,
/// which is preloaded into the server.
final class FaultyDisk: Sendable {
  /// System calls on the database's files.
  struct Calls: OptionSet, Sendable, Hashable {
    let rawValue: Int64
    static let write = Calls(rawValue: 1)
    static let sync = Calls(rawValue: 2)
    static let truncate = Calls(rawValue: 4)
    static let open = Calls(rawValue: 8)
    static let read = Calls(rawValue: 16)
    static let unlink = Calls(rawValue: 32)
    static let changes: Calls = [.write, .sync, .truncate, .open, .unlink]
  }

  enum Fault: Sendable, Hashable {
    /// The call fails with an errno; a write that is torn has got half of its bytes onto the disk.
    case error(Int32, isTorn: Bool = false)
    /// A write takes half of its bytes, and says so.
    case short
    /// The process is killed where the call would be.
    case kill(isTorn: Bool = false)
    /// The call waits for `release`, and then goes through.
    case hold
  }

  static let isThorough = ProcessInfo.processInfo.environment["ROWHOUSE_TEST_THOROUGH"] != nil

  /// Where the library is; nil, with a line on stderr, where there is nothing to make it with.
  static let library = compile("faulty-disk", for: "failing disks and power cuts")

  /// Compiles a C file of this folder to a library that is preloaded.
  ///
  /// - Parameter subject: what cannot be tested without it.
  static func compile(_ name: String, for subject: String) -> String? {
    let compilers = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"]
    guard let compiler = compilers.first(where: FileManager.default.isExecutableFile),
      let library = try? build(name, compiler)
    else {
      FileHandle.standardError.write(
        Data("No C compiler: NOTHING IS TESTED of \(subject).\n".utf8))
      return nil
    }
    return library
  }

  private static let libraryFolder = try? TemporaryFolder()

  private static func build(_ name: String, _ compiler: String) throws -> String? {
    guard let folder = libraryFolder else { return nil }
    let library = folder.file("\(name).so")
    let source = Rowhouse.sourceFolder + "/Tests/EndToEnd/Faults/\(name).c"
    let result = try Rowhouse.run(
      compiler, ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"])
    if result.ending != .exit(0) { FileHandle.standardError.write(Data(result.errors.utf8)) }
    return result.ending == .exit(0) ? library : nil
  }

  let folder: TemporaryFolder
  private let control: Int32

  /// Below the database of a folder.
  init(below folder: TemporaryFolder) throws {
    self.folder = folder
    control = open(folder.file("disk-control"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard control >= 0, ftruncate(control, 72) == 0 else { throw SystemFault("disk-control") }
  }

  deinit { close(control) }

  /// What the processes above it are started with.
  func environment(isTraced: Bool = false) -> [String: String] {
    var environment = [
      "LD_PRELOAD": Self.library ?? "", "ROWHOUSE_DISK_FILE": folder.database,
      "ROWHOUSE_DISK_CONTROL": folder.file("disk-control"),
    ]
    if isTraced { environment["ROWHOUSE_DISK_TRACE"] = tracePath }
    return environment
  }

  var tracePath: String { folder.file("disk-trace") }

  // The numbers are in the file as in `struct control`.

  private func set(_ number: Int, _ value: Int64) {
    withUnsafeBytes(of: value) { _ = pwrite(control, $0.baseAddress, 8, off_t(number * 8)) }
  }

  private func value(of number: Int) -> Int {
    var value: Int64 = 0
    withUnsafeMutableBytes(of: &value) { _ = pread(control, $0.baseAddress, 8, off_t(number * 8)) }
    return Int(value)
  }

  /// From the call of that number on, from 1, so many fail, of those on one file only if it is named;
  /// counts anew.
  func fail(
    _ fault: Fault, at number: Int, times: Int = 1, of calls: Calls, on file: DiskTrace.File? = nil
  ) {
    repair()
    let (action, isTorn): (Int32, Bool) =
      switch fault {
      case .error(let code, let isTorn): (code, isTorn)
      case .short: (-1, false)
      case .kill(let isTorn): (-2, isTorn)
      case .hold: (-3, false)
      }
    if case .hold = fault { set(8, 1) }
    set(3, Int64(action))
    set(4, isTorn ? 1 : 0)
    set(5, 0)
    set(6, 0)
    set(7, Int64(file?.rawValue ?? 0))
    let (last, isBeyond) = number.addingReportingOverflow(times - 1)
    set(2, isBeyond ? .max : Int64(last))
    set(1, Int64(number))
    set(0, calls.rawValue)
  }

  /// Counts such calls, and lets them pass.
  func count(_ calls: Calls) { fail(.short, at: Int.max, of: calls) }

  /// Nothing fails any more; what is held goes on waiting.
  func repair() { set(1, .max) }

  /// Lets go through what is held, whatever is to fail behind it.
  func release() { set(8, 0) }

  /// Calls since the last `fail` or `count`.
  var calls: Int { value(of: 5) }
  /// Those of them that failed.
  var faults: Int { value(of: 6) }
}

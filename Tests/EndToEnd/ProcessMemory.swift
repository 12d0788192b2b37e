import Foundation
import Support
import Testing

/// What the kernel says of a process's memory, in bytes.
struct ProcessMemory {
  private let folder: String

  init(_ pid: pid_t) { folder = "/proc/\(pid)" }

  func resident() throws -> Int { try value("VmRSS") }

  /// The most since the start, or since it was forgotten.
  func peak() throws -> Int { try value("VmHWM") }

  /// https://docs.kernel.org/filesystems/proc.html, clear_refs
  func forgetPeak() throws {
    guard let file = fopen(folder + "/clear_refs", "w") else { throw SystemFault("clear_refs") }
    defer { fclose(file) }
    fputs("5", file)
  }

  private func value(_ name: String) throws -> Int {
    let text = try String(contentsOfFile: folder + "/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + ":") })
    return try #require(Int(line.split(separator: " ")[line.split(separator: " ").count - 2])) << 10
  }
}

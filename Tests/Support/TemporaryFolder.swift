import Foundation

/// A folder of its own for a test; it goes when nobody holds it any more.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path = NSTemporaryDirectory() + "/rowhouse-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func path(_ name: String) -> String { path + "/" + name }
}

import Foundation
import PackagePlugin

/// Compiles the files below a target's folder `Files` into the target, as `EmbeddedFiles.all`.
@main
struct EmbedFiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.appendingPathComponent("Files")
    let output = context.pluginWorkDirectoryURL.appendingPathComponent("EmbeddedFiles.swift")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    return [
      .buildCommand(
        displayName: "Embedding the files of \(target.name)",
        executable: try context.tool(named: "file-embedder").url,
        arguments: [folder.path, output.path],
        inputFiles: files.map { folder.appendingPathComponent($0) },
        outputFiles: [output])
    ]
  }
}

import Foundation
import PackagePlugin

/// Compiles copies of an iOS app's files, in which `#selector` and `@objc` have their counterparts without Objective-C.
///
/// The plug-in copies the files in the target's folder that the manifest neither excludes nor names as sources.
@main
struct UsherSelectors: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else { return [] }
        let folder = module.directoryURL.standardizedFileURL.path
        let originals = module.sourceFiles.filter { $0.type == .unknown && $0.url.pathExtension == "swift" }.map(\.url)
        guard !originals.isEmpty else {
            Diagnostics.warning(
                "UsherSelectors has no file to copy for \(target.name): give the target `sources:`, the folder of the files that are only for Linux"
            )
            return []
        }
        let copies = context.pluginWorkDirectoryURL.appending(path: "Copies")
        let paths = originals.map { String($0.standardizedFileURL.path.dropFirst(folder.count + 1)) }
        return [
            .buildCommand(
                displayName: "Copying \(target.name) without Objective-C",
                executable: try context.tool(named: "UsherSelectorsTool").url,
                arguments: [copies.path, folder] + paths, inputFiles: originals,
                outputFiles: paths.map { copies.appending(path: "\($0.dropLast(6)).linux.swift") })
        ]
    }
}

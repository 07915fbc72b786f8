import UsherAuthoring
import UsherProcess

/// Writes copies of Swift files that compile without Objective-C: the tool of the plug-in UsherSelectors.
///
/// The arguments are the folder of the copies, the folder of the originals, and the originals' paths below the second
/// folder.
@main
enum UsherSelectorsTool {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 2 else {
            fail("usage: UsherSelectorsTool COPIES ORIGINALS FILE...; the plug-in UsherSelectors runs this tool")
        }
        let folder = arguments[1]
        do {
            let files = try SourceFiles(folder, files: Array(arguments[2...]))
            let copies = files.linuxCopies()
            let faults = copies.sorted { $0.key < $1.key }.flatMap(\.value.faults)
            for fault in faults { StandardStream.error.write(line: fault.description) }
            if !faults.isEmpty { ProcessEnvironment.exit(1) }
            let contents = copies.map { (name(of: $0.key.dropFirst(folder.count + 1)), $0.value.contents) }
            try SourceFolder.update(arguments[0], Dictionary(uniqueKeysWithValues: contents))
        } catch {
            fail("\(error)")
        }
    }

    /// Returns the path of a copy, as the plug-in announces it.
    ///
    /// A copy has another name than its original, because `#fileID` in the copy names the original.
    private static func name(of path: Substring) -> String { "\(path.dropLast(6)).linux.swift" }

    private static func fail(_ message: String) -> Never {
        StandardStream.error.write(line: "error: \(message)")
        ProcessEnvironment.exit(1)
    }
}

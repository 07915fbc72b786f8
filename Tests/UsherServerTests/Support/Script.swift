import Foundation
import Programs

/// A bash script, run to its end.
struct Script {
    let end: ProgramEnd

    /// Runs a script.
    ///
    /// - Parameters:
    ///   - text: The script.
    ///   - server: Its argument.
    init(_ text: String, server: String) throws {
        let folder = try TemporaryFolder()
        let path = folder("script")
        try Data((text + "\n").utf8).write(to: URL(filePath: path))
        end = try Program.run(["bash", path, server])
    }
}

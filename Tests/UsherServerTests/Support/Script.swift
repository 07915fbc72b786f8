import Foundation
import Programs

/// A bash script, which runs to its end.
struct Script {
    let end: ProgramEnd

    /// Runs a script.
    ///
    /// - Parameters:
    ///   - text: The script.
    ///   - server: The script's argument.
    init(_ text: String, server: String) throws {
        let folder = try TemporaryFolder()
        let path = folder("script")
        try Data((text + "\n").utf8).write(to: URL(filePath: path))
        end = try Program.run(["bash", path, server])
    }
}

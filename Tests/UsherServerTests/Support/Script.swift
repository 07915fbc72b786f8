import Foundation

/// A bash script, run to its end.
struct Script {
    let end: (status: Int32, output: String, error: String)

    /// Runs a script.
    ///
    /// - Parameters:
    ///   - text: The script.
    ///   - server: Its argument.
    init(_ text: String, server: String) throws {
        let folder = try TemporaryFolder()
        let path = folder("script")
        try Data((text + "\n").utf8).write(to: URL(filePath: path))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", path, server]
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = error.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        end = (
            process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: complaint, as: UTF8.self)
        )
    }
}

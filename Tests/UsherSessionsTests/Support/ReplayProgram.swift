import Foundation

/// The other process that replays what this one has recorded.
enum ReplayProgram {
    /// What each session shows after its entries.
    static func stacks(after recordings: [[[UInt8]]]) throws -> [String] {
        let lines = recordings.map { entries in
            entries.map {
                $0.map { byte in byte < 16 ? "0\(String(byte, radix: 16))" : String(byte, radix: 16) }.joined()
            }
            .joined(separator: " ")
        }
        let folder = FileManager.default.temporaryDirectory
        let input = folder.appending(path: UUID().uuidString)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }

        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "ReplayProgram")
        let output = Pipe()
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

import Foundation
import Programs

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

        let end = try Program.run(["\(Program.products)/ReplayProgram"], input: input.path)
        return end.output.split(separator: "\n").map(String.init)
    }
}

import Foundation
import Programs

/// A file system of 300 KiB in memory.
final class SmallDisk {
    let folder: URL

    /// Whether this user may mount one.
    static let canBeMounted: Bool = (try? SmallDisk()) != nil

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "usher-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.run("mount", "-t", "tmpfs", "-o", "size=300k", "usher-test", folder.path)
    }

    deinit {
        try? Self.run("umount", folder.path)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Takes all the room that is left.
    func fill() throws {
        _ = FileManager.default.createFile(atPath: ballast.path, contents: nil)
        let file = try FileHandle(forWritingTo: ballast)
        defer { try? file.close() }
        for size in [16_384, 1] {
            while (try? file.write(contentsOf: Data(count: size))) != nil {}
        }
    }

    /// Gives it back; by cutting the file, for a program that is just being started holds whatever is open, and with it
    /// the room of a file that is removed.
    func clear() throws {
        let file = try FileHandle(forWritingTo: ballast)
        defer { try? file.close() }
        try file.truncate(atOffset: 0)
    }

    private var ballast: URL { folder.appending(path: "ballast") }

    private static func run(_ command: String...) throws {
        guard try Program.run(command).status == 0 else { throw Failure(command: command) }
    }

    private struct Failure: Error {
        let command: [String]
    }
}

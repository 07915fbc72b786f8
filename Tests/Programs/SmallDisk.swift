import Foundation

/// A file system in memory that holds a little, where this user may mount one.
public final class SmallDisk: Sendable {
    /// Where it is.
    public let folder: TemporaryFolder

    /// True where this user may mount one.
    public static let canBeMounted: Bool = (try? SmallDisk("size=16k")) != nil

    /// Mounts it.
    ///
    /// - Parameter options: Such as `size=300k`.
    public init(_ options: String = "size=300k") throws {
        folder = try TemporaryFolder()
        guard try Program.run(["mount", "-t", "tmpfs", "-o", options, "usher-test", folder.path]).status == 0 else {
            throw CocoaError(.fileWriteNoPermission)
        }
    }

    deinit { _ = try? Program.run(["umount", "--lazy", folder.path]) }

    /// Mounts it with other options.
    ///
    /// As long as a file is open for writing it cannot be made read-only; and a program that is just being started, by
    /// another test, holds for a moment what was open here: so it is tried again.
    ///
    /// - Returns: True if that worked.
    public func remount(_ options: String) -> Bool {
        (0..<100).contains { _ in
            (try? Program.run(["mount", "-o", "remount,\(options)", folder.path]))?.status == 0
        }
    }

    /// Takes all the room that is left.
    public func fill() throws {
        try folder.write([], to: Self.ballast)
        let file = try FileHandle(forWritingTo: URL(filePath: folder(Self.ballast)))
        defer { try? file.close() }
        for size in [16_384, 1] {
            while (try? file.write(contentsOf: Data(count: size))) != nil {}
        }
    }

    /// Gives it back; by cutting the file, for a program that is just being started holds whatever is open, and with it
    /// the room of a file that is removed.
    public func clear() throws {
        let file = try FileHandle(forWritingTo: URL(filePath: folder(Self.ballast)))
        defer { try? file.close() }
        try file.truncate(atOffset: 0)
    }

    private static let ballast = "ballast"
}

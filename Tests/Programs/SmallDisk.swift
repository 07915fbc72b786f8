import Foundation

/// A small file system in memory, if this user may mount one.
public final class SmallDisk: Sendable {
    /// The folder of the file system.
    public let folder: TemporaryFolder

    /// A Boolean value that indicates whether this user may mount a file system.
    public static let canBeMounted: Bool = (try? SmallDisk("size=16k")) != nil

    /// Mounts the file system.
    ///
    /// - Parameter options: Options such as `size=300k`.
    public init(_ options: String = "size=300k") throws {
        folder = try TemporaryFolder()
        guard try Program.run(["mount", "-t", "tmpfs", "-o", options, "usher-test", folder.path]).status == 0 else {
            throw CocoaError(.fileWriteNoPermission)
        }
    }

    deinit { _ = try? Program.run(["umount", "--lazy", folder.path]) }

    /// Mounts the file system with other options.
    ///
    /// It cannot become read-only while a file is open for writing. A program that another test is just starting can
    /// briefly hold such a file, so the mount is tried several times.
    ///
    /// - Returns: Whether it succeeded.
    public func remount(_ options: String) -> Bool {
        (0..<100).contains { _ in
            (try? Program.run(["mount", "-o", "remount,\(options)", folder.path]))?.status == 0
        }
    }

    /// Fills the rest of the file system.
    public func fill() throws {
        try folder.write([], to: Self.ballast)
        let file = try FileHandle(forWritingTo: URL(filePath: folder(Self.ballast)))
        defer { try? file.close() }
        for size in [16_384, 1] {
            while (try? file.write(contentsOf: Data(count: size))) != nil {}
        }
    }

    /// Frees the space again.
    ///
    /// The file is truncated and not removed, because a program that is just being started may hold it open.
    public func clear() throws {
        let file = try FileHandle(forWritingTo: URL(filePath: folder(Self.ballast)))
        defer { try? file.close() }
        try file.truncate(atOffset: 0)
    }

    private static let ballast = "ballast"
}

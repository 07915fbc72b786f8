/// A file system in memory that holds a little, where this user may mount one.
final class SmallDisk: Sendable {
    let folder: Folder

    /// Mounts it.
    ///
    /// - Parameter options: Such as `size=300k`.
    init?(_ options: String) throws {
        folder = try Folder()
        guard run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.path) else { return nil }
    }

    deinit { run("umount", "--lazy", folder.path) }

    func remount(_ options: String) -> Bool {
        run("mount", "-o", "remount,\(options)", folder.path)
    }

    /// Whether there can be one here.
    static let isPossible = (try? SmallDisk("size=16k")).flatMap(\.self) != nil
}

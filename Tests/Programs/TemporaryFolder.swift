public import Foundation

/// A folder that is deleted with this object.
public final class TemporaryFolder: Sendable {
    /// The path of the folder.
    public let path: String

    /// Creates a folder.
    ///
    /// - Parameter parent: The parent folder; by default the system's folder for temporary files.
    public init(in parent: String = NSTemporaryDirectory()) throws {
        path = URL(filePath: parent).appending(path: "usher-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// A folder in memory, if this system has one, otherwise the folder for temporary files.
    public static var inMemory: String {
        inMemory(for: 0) ?? NSTemporaryDirectory()
    }

    /// Returns a folder in memory with room for a number of bytes, or `nil` if there is none.
    public static func inMemory(for bytes: Int64) -> String? {
        let folder = "/dev/shm"
        guard FileManager.default.isWritableFile(atPath: folder),
            let free = try? FileManager.default.attributesOfFileSystem(forPath: folder)[.systemFreeSize] as? NSNumber
        else { return nil }
        return free.int64Value >= bytes ? folder : nil
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a file in the folder.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Returns the content of a file; empty if there is no such file.
    public func bytes(of name: String) -> [UInt8] {
        FileManager.default.contents(atPath: self(name)).map { Array($0) } ?? []
    }

    /// Writes a file that only its owner may access.
    public func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: self(name)))
        try permit(0o600, on: name)
    }

    /// Writes a file with permissions; by default only its owner may access it.
    ///
    /// - Returns: The path of the file.
    public func write(_ text: String, to name: String, permissions: Int = 0o600) throws -> String {
        try write(Array(text.utf8), to: name)
        try permit(permissions, on: name)
        return self(name)
    }

    /// Changes the permissions of a file.
    public func permit(_ permissions: Int, on name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: self(name))
    }

    /// Removes a file, if it exists.
    public func remove(_ name: String) {
        try? FileManager.default.removeItem(atPath: self(name))
    }

    /// Returns the attributes of a file.
    public func attributes(of name: String) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: self(name))
    }

    /// The names of the files in the folder, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

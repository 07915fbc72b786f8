public import Foundation

/// A folder that goes with the test that made it.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Makes a folder.
    ///
    /// - Parameter parent: Where; the system's place for temporary files unless told.
    public init(in parent: String = NSTemporaryDirectory()) throws {
        path = URL(filePath: parent).appending(path: "usher-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// The place where files are fast, if this system has one.
    public static var inMemory: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of something in it.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// The content of a file; empty where there is none.
    public func bytes(of name: String) -> [UInt8] {
        FileManager.default.contents(atPath: self(name)).map { Array($0) } ?? []
    }

    /// Writes a file that is its owner's alone.
    public func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: self(name)))
        try permit(0o600, on: name)
    }

    /// Writes a file that has permissions of its own: its owner's alone unless told.
    ///
    /// - Returns: Its path.
    public func write(_ text: String, to name: String, permissions: Int = 0o600) throws -> String {
        try write(Array(text.utf8), to: name)
        try permit(permissions, on: name)
        return self(name)
    }

    /// Changes the permissions of a file.
    public func permit(_ permissions: Int, on name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: self(name))
    }

    /// Removes a file, if there is one.
    public func remove(_ name: String) {
        try? FileManager.default.removeItem(atPath: self(name))
    }

    /// The attributes of a file.
    public func attributes(of name: String) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: self(name))
    }

    /// The names of what is in it, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

import Foundation

/// A folder that goes with the test that made it.
final class Folder: Sendable {
    let path: String

    init(in parent: String = NSTemporaryDirectory()) throws {
        path = (parent as NSString).appendingPathComponent("usher-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Where files are fast, if this system has such a place.
    static var inMemory: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    func bytes(of name: String) -> [UInt8] {
        FileManager.default.contents(atPath: self(name)).map { Array($0) } ?? []
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
    }

    func remove(_ name: String) {
        try? FileManager.default.removeItem(atPath: self(name))
    }

    func attributes(of name: String) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: self(name))
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

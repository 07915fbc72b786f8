import Glibc

/// A short text file in which the system tells something, such as `/proc/self/stat`.
struct SystemFile {
    private let text: String

    /// Reads the file; one that cannot be read is empty.
    init(_ path: String) {
        var bytes: [UInt8] = []
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            text = ""
            return
        }
        defer { close(descriptor) }
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = unsafe part.withUnsafeMutableBytes({ part in
            unsafe Descriptor.fill(part, from: descriptor)
        }), let count, count > 0 {
            bytes += part.prefix(count)
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The words of the text.
    var fields: [Substring] { Self.words(text[...]) }

    /// The words that follow the last one that ends in a text.
    func fields(after end: String) -> [Substring] {
        let words = fields
        guard let index = words.lastIndex(where: { $0.hasSuffix(end) }) else { return [] }
        return Array(words[(index + 1)...])
    }

    private static func words(_ text: Substring) -> [Substring] {
        text.split { $0 == " " || $0 == "\n" }
    }
}

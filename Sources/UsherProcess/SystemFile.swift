/// A short text file in which the system tells something, such as `/proc/self/stat`.
struct SystemFile {
    private let text: String

    /// Reads the file; one that cannot be read is empty.
    init(_ path: String) {
        text = String(decoding: (try? WholeFile.read(path)) ?? [], as: UTF8.self)
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

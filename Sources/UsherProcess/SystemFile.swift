/// A short text file in which the system tells something, such as `/proc/self/stat`.
struct SystemFile {
    /// The words of the text.
    let fields: [Substring]

    /// Reads the file; one that cannot be read is empty.
    init(_ path: String) {
        let text = String(decoding: (try? WholeFile.read(path)) ?? [], as: UTF8.self)
        fields = text.split { $0 == " " || $0 == "\n" }
    }

    /// The words that follow the last one that ends in a text.
    func fields(after end: String) -> [Substring] {
        guard let index = fields.lastIndex(where: { $0.hasSuffix(end) }) else { return [] }
        return Array(fields[(index + 1)...])
    }
}

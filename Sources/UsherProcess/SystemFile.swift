/// A short text file of the system, such as `/proc/self/stat`.
struct SystemFile {
    let fields: [Substring]

    /// Reads the file; an unreadable file counts as empty.
    init(_ path: String) {
        let text = String(decoding: (try? WholeFile.read(path)) ?? [], as: UTF8.self)
        fields = text.split { $0 == " " || $0 == "\n" }
    }

    /// Returns the words that follow the last word with a given ending.
    func fields(after end: String) -> [Substring] {
        guard let index = fields.lastIndex(where: { $0.hasSuffix(end) }) else { return [] }
        return Array(fields[(index + 1)...])
    }
}

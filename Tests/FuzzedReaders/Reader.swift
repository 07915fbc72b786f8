/// A reader of bytes that anyone may send, or that a disk may have damaged; a broken promise traps.
package enum Reader: String, CaseIterable, Codable, Sendable {
    /// JSON text; after it is written and parsed again, it must have the same meaning.
    case json
    /// The target of a request.
    case target
    /// A header section, and the values that are parsed from its fields.
    case fields
    /// Entries of the journal: a single one, a run, or a group of several sessions' entries.
    case entry
    /// The other rows of a session's record: header, answer, guilty input.
    case record
    /// The value of a field with a name or a secret: session ids, the operator's token, cookies, keys, tags.
    case token
    /// Complete requests to a server in memory.
    case request

    /// Reads bytes.
    package func read(_ bytes: [UInt8]) {
        switch self {
        case .json: TextReading.readJSON(bytes)
        case .target: TextReading.readTarget(bytes)
        case .fields: TextReading.readFields(bytes)
        case .entry: RowReading.readEntry(bytes)
        case .record: RowReading.readRecord(bytes)
        case .token: TokenReading.read(bytes)
        case .request: FuzzedServer.shared.take(bytes)
        }
    }
}

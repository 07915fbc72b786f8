/// A reader of bytes that anybody may send, or that a disk may have damaged; a promise that does not hold traps.
package enum Reader: String, CaseIterable, Codable, Sendable {
    /// JSON text: what is read must mean the same when it is written and read again.
    case json
    /// A request's target.
    case target
    /// A field section, and what is read of its fields.
    case fields
    /// Entries of the journal: one, a run, a group of several sessions'.
    case entry
    /// The other rows of a session's record: header, answer, guilty input.
    case record
    /// The value of a field that opens or names something: session ids, the operator's token, cookies, keys, tags.
    case token
    /// Whole requests to a server in memory.
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

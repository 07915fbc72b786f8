import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

extension JSONWriter {
    /// Appends one input of a session's journal; its secrets are masked.
    mutating func write(_ entry: Entry, of session: SessionID) {
        beginObject()
        key("revision")
        integer(entry.revision)
        key("time")
        string(WallTime.text(entry.time))
        key("kind")
        string(entry.kind.name)
        key("input")
        raw(entry.maskedPayload)
        key("visible")
        string(entry.visible)
        key("digest")
        string(Self.hexadecimal(entry.digest))
        key("bytes")
        integer(entry.bytes(of: session.journalKey).count)
        endObject()
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Entry.Kind {
    /// Its name on the wire.
    fileprivate var name: String {
        switch self {
        case .creation: "creation"
        case .input: "input"
        case .inputKeepingLink: "inputKeepingLink"
        case .inputDroppingLink: "inputDroppingLink"
        case .divergence: "divergence"
        }
    }
}

@testable import UsherJournal

/// The readers of the journal's rows.
///
/// Bytes are sealed first, because no mutation would find a correct checksum.
enum RowReading {
    private static let key = JournalKey(high: 1, low: 2)
    private static let creation = JournalKey(high: 0, low: 0)

    static func readEntry(_ bytes: [UInt8]) {
        let sealed = seal(bytes, for: key)
        _ = EntryOutline(bytes)
        if let entry = try? Entry(sealed, of: key) {
            let written = entry.bytes(of: key)
            guard let again = try? Entry(written, of: key) else { fatalError("an entry cannot be read again") }
            precondition(again.bytes(of: key) == written)
        }
        if EntryRun.isRun(bytes) { _ = try? EntryRun.entries(of: bytes) }
        let half = bytes.count / 2
        let sessions = seal(Array(bytes[..<half]), for: creation)
        _ = try? EntryGroup.read(sessions: sessions, entries: Array(bytes[half...]))
    }

    static func readRecord(_ bytes: [UInt8]) {
        let sealed = seal(bytes, for: key)
        if let header = try? SessionHeader(sealed, of: key) {
            let written = header.bytes(of: key)
            precondition((try? SessionHeader(written, of: key)) == header)
            _ = try? SessionRecord(head: written, entries: [], answers: [sealed], of: key)
        }
        if let answer = try? KeyedAnswer(sealed, of: key) {
            let written = answer.bytes(of: key)
            precondition((try? KeyedAnswer(written, of: key))?.bytes(of: key) == written)
        }
        for session in [key, nil] {
            guard let input = try? GuiltyInput(seal(bytes, for: session ?? creation), of: session) else { continue }
            precondition((try? GuiltyInput(input.bytes, of: session)) == input)
        }
    }

    private static func seal(_ bytes: [UInt8], for key: JournalKey) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: bytes.count)
        for byte in bytes { writer.byte(byte) }
        return writer.sealed(for: key)
    }
}

import Testing
import UsherJournal

/// A kind of row, with its bytes and its parser.
struct SealedRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let read: @Sendable ([UInt8], JournalKey) throws(EntryError) -> Void

    static let all = [
        SealedRow(testDescription: "entry", bytes: EntryTests.entries[3].bytes(of: EntryTests.key)) {
            (bytes, key) throws(EntryError) in _ = try Entry(bytes, of: key)
        },
        SealedRow(testDescription: "header", bytes: RecordTests.ended.bytes(of: EntryTests.key)) {
            (bytes, key) throws(EntryError) in _ = try SessionHeader(bytes, of: key)
        },
        SealedRow(testDescription: "answer", bytes: RecordTests.answer.bytes(of: EntryTests.key)) {
            (bytes, key) throws(EntryError) in _ = try KeyedAnswer(bytes, of: key)
        },
    ]
}

@Suite("The checksum of a row")
struct SealTests {
    @Test(arguments: SealedRow.all)
    func `an unchanged row is valid`(row: SealedRow) throws {
        try row.read(row.bytes, EntryTests.key)
    }

    @Test(arguments: SealedRow.all)
    func `a row with any flipped bit is detected as damaged`(row: SealedRow) {
        for position in row.bytes.indices {
            for bit in 0..<8 {
                var changed = row.bytes
                changed[position] ^= 1 << bit
                #expect(throws: EntryError.self, "bit \(bit) of byte \(position)") {
                    try row.read(changed, EntryTests.key)
                }
            }
        }
    }

    @Test(arguments: SealedRow.all)
    func `a row that was cut at any byte is detected as damaged`(row: SealedRow) {
        for count in row.bytes.indices {
            #expect(throws: EntryError.self) { try row.read(Array(row.bytes.prefix(count)), EntryTests.key) }
        }
    }

    @Test(arguments: SealedRow.all, [JournalKey(high: 1, low: 3), JournalKey(high: 2, low: 1)])
    func `a row that belongs to another session is detected as damaged`(row: SealedRow, key: JournalKey) {
        #expect(throws: EntryError.checksum) { try row.read(row.bytes, key) }
    }
}

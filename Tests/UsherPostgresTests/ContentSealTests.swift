import Testing
import UsherJournal

@testable import UsherPostgres

@Suite("Encryption of contents")
struct ContentSealTests {
    private static let session = JournalKey(high: 1, low: 2)
    private static let rows: [SealedRow] = [
        .entry(session, revision: 3), .entry(session, revision: 4), .entry(JournalKey(high: 1, low: 3), revision: 3),
        .answer(session, under: "k"), .answer(session, under: "l"), .answer(JournalKey(high: 2, low: 2), under: "k"),
        .opening(session, under: "k"), .opening(JournalKey(high: 0, low: 2), under: "k"), .guilty(session),
        .guilty(nil),
    ]

    /// C2SP's test vectors for XAES-256-GCM, one for each way in which the subkey is doubled.
    @Test(arguments: [
        (key: 1, associated: "", sealed: "ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271"),
        (
            key: 3, associated: "c2sp.org/XAES-256-GCM",
            sealed: "986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d"
        ),
    ])
    func `the cipher agrees with the test vectors of XAES-256-GCM`(key: UInt8, associated: String, sealed: String)
        throws
    {
        let cipher = try #require(XAES256GCM(key: Array(repeating: key, count: 32)))
        let nonce = Array("ABCDEFGHIJKLMNOPQRSTUVWX".utf8)
        let associated = Array(associated.utf8)
        var result = nonce
        #expect(cipher.seal(Array("XAES-256-GCM".utf8), authenticating: associated, into: &result))
        #expect(result == nonce + Self.bytes(sealed))
        #expect(cipher.open(result, from: 0, authenticating: associated) == Array("XAES-256-GCM".utf8))
    }

    @Test func `a row that was encrypted by another program can be decrypted`() throws {
        let stored = Self.bytes(
            """
            e172cd6e8422c407fb4142434445464748494a4b4c4d4e4f505152535455565758\
            f57a45d174c087989a5e384131e6b5b1a35a1f50c02b29
            """)
        let opened = try ContentSeal(.repeating(1)).open(stored, of: Self.rows[0])
        #expect(opened == Array("content".utf8))
    }

    private static func bytes(_ digits: String) -> [UInt8] {
        let values = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 90, 70_000])
    func `encrypted content can be decrypted, and encrypting it again gives other bytes`(size: Int) throws {
        let seal = ContentSeal(try .repeating(1))
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        for row in Self.rows {
            let sealed = try seal.seal(content, for: row)
            #expect(sealed.count == size + ContentSeal.growth)
            #expect(try seal.open(sealed, of: row) == content)
            #expect(try seal.seal(content, for: row) != sealed)
        }
    }

    @Test func `any changed or missing byte of encrypted content is detected`() throws {
        let seal = ContentSeal(try .repeating(1))
        var author = Self.entry
        let sealed = try seal.seal(author, for: Self.rows[0])
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 1
            #expect(throws: EntryError.self, "byte \(position)") {
                // With a changed mark, the content counts as unsealed, but is malformed.
                author = try seal.open(changed, of: Self.rows[0])
                _ = try Entry(author, of: Self.session)
            }
            #expect(throws: EntryError.self) { try seal.open(Array(sealed[..<max(1, position)]), of: Self.rows[0]) }
        }
    }

    private static var entry: [UInt8] {
        let ids = Entry.FreeIdentifiers(screen: 1, coordinator: 1)
        return Entry(.input, revision: 3, time: 5, before: ids, after: ids, digest: 7, payload: Array("{}".utf8))
            .bytes(of: session)
    }

    @Test func `content that was encrypted for one row cannot be decrypted for another`() throws {
        let seal = ContentSeal(try .repeating(1))
        for (place, row) in Self.rows.enumerated() {
            let sealed = try seal.seal([1, 2, 3], for: row)
            for (other, stranger) in Self.rows.enumerated() where other != place {
                #expect(throws: EntryError.checksum, "\(row) as \(stranger)") { try seal.open(sealed, of: stranger) }
            }
        }
    }

    @Test func `the first key in the file encrypts new content, and every key in the file can decrypt content`() throws
    {
        let row = Self.rows[0]
        let old = try ContentSeal(.repeating(1)).seal([1], for: row)
        let rotated = try ContentSeal(.repeating(2, 1))
        #expect(try rotated.open(old, of: row) == [1])
        let new = try rotated.seal([2], for: row)
        #expect(try ContentSeal(.repeating(2)).open(new, of: row) == [2])
        #expect(throws: EntryError.sealed("75877bb41d393b5f")) { try ContentSeal(.repeating(1)).open(new, of: row) }
        #expect(throws: EntryError.sealed("72cd6e8422c407fb")) { try ContentSeal(nil).open(old, of: row) }
    }

    @Test func `without a key, nothing is encrypted; unencrypted content stays readable after a key is added`()
        throws
    {
        #expect(try ContentSeal(nil).seal(Self.entry, for: Self.rows[0]) == Self.entry)
        #expect(try ContentSeal(.repeating(1)).open(Self.entry, of: Self.rows[0]) == Self.entry)
    }
}

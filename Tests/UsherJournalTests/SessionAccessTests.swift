import Testing
import UsherJournal

@Suite("Access to a session")
struct SessionAccessTests {
    private let access = SessionAccess(
        owner: TokenHash(of: [1]), readers: [TokenHash(of: [2]), TokenHash(of: [3])], subject: "kim")

    @Test
    func `the owner's token allows all requests, a reader's token allows only reads, and others allow nothing`() {
        #expect(access.isOwner(TokenHash(of: [1])) && access.mayRead(TokenHash(of: [1])))
        for reader: UInt8 in [2, 3] {
            #expect(!access.isOwner(TokenHash(of: [reader])) && access.mayRead(TokenHash(of: [reader])))
        }
        #expect(!access.isOwner(TokenHash(of: [4])) && !access.mayRead(TokenHash(of: [4])))
    }

    @Test func `a session with revoked access accepts no token`() {
        let revoked = SessionAccess(owner: nil)
        #expect(!revoked.isOwner(TokenHash(of: [])) && !revoked.mayRead(TokenHash(of: [1])))
    }

    @Test
    func `the record of a session's access is the same after writing and reading it, and fits no other session`()
        throws
    {
        let (key, other) = (JournalKey(high: 1, low: 2), JournalKey(high: 1, low: 3))
        for access in [access, SessionAccess(openFor: "kim"), SessionAccess(owner: nil)] {
            #expect(try SessionAccess(access.bytes(of: key), of: key) == access)
        }
        #expect(throws: EntryError.checksum) { try SessionAccess(access.bytes(of: key), of: other) }
    }

    @Test func `a record of access with too many readers counts as damaged`() throws {
        let key = JournalKey(high: 1, low: 2)
        let many = SessionAccess(owner: nil, readers: (0..<9).map { TokenHash(of: [$0]) })
        #expect(throws: EntryError.malformed) { try SessionAccess(many.bytes(of: key), of: key) }
    }
}

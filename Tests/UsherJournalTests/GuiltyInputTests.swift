import JournalSubject
import Testing

@testable import UsherJournal

@Suite("The bytes of guilty inputs")
struct GuiltyInputTests {
    private static let key = JournalKey(high: 1, low: 2)

    @Test(arguments: [key, nil], GuiltyInput.Kind.allCases)
    func `a guilty input is the same after writing and reading it`(session: JournalKey?, kind: GuiltyInput.Kind) throws
    {
        let input = GuiltyInput.of(session, kind, upon: .max, build: .max, at: -1)
        #expect(try GuiltyInput(input.bytes, of: session) == input)
    }

    @Test func `a guilty input is refused if a byte was changed or if it is read for another session`() {
        let input = GuiltyInput.of(Self.key)
        for position in input.bytes.indices {
            var bytes = input.bytes
            bytes[position] ^= 1
            #expect(throws: EntryError.self, "byte \(position)") { try GuiltyInput(bytes, of: Self.key) }
            #expect(throws: EntryError.self) { try GuiltyInput(Array(input.bytes.prefix(position)), of: Self.key) }
        }
        for other in [nil, JournalKey(high: 2, low: 1)] {
            #expect(throws: EntryError.self) { try GuiltyInput(input.bytes, of: other) }
        }
    }

    @Test func `an input's identity depends only on its session, kind, revision and bytes`() {
        let identity = GuiltyInput.of(Self.key).identity
        #expect(identity == GuiltyInput.of(Self.key, build: 7, at: 0).identity)
        for other in [
            GuiltyInput.of(nil), .of(Self.key, .timer), .of(Self.key, upon: 3), .of(Self.key, bytes: "{}"),
        ] {
            #expect(other.identity != identity)
        }
    }

    /// The examples of FIPS 180-4, and lengths just below and above what fits into the last block.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        (String(repeating: "a", count: 56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
        (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `SHA-256 gives the digests of its standard`(text: String, digest: String) {
        let words = SHA256.words(of: Array(text.utf8)).map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        #expect(words.joined() == digest)
    }
}

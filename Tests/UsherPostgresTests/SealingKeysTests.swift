import Programs
import Testing
import UsherPostgres

@Suite("The file of encryption keys")
struct SealingKeysTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns the error for a file; empty if it is accepted.
    private func refusal(_ path: String) -> String {
        do throws(PostgresJournalError) {
            _ = try SealingKeys(file: path)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `the key file has one key per line, and may have comments`() throws {
        let lines = ["# made today", SealingKeys.line(1).uppercased(), "", "  \(SealingKeys.line(2))\t", "# old"]
        for end in ["\n", "\r\n"] {
            let keys = try SealingKeys(file: folder.write(lines.joined(separator: end), to: "keys"))
            #expect("\(keys)" == "72cd6e8422c407fb, 75877bb41d393b5f")
        }
    }

    @Test(arguments: [
        (text: "", words: "there is no key in"), (text: "# none\n\n", words: "there is no key in"),
        (text: "secret", words: "line 1 of"), (text: "\(SealingKeys.line(7))0", words: "line 1 of"),
        (text: String(SealingKeys.line(7).dropLast()), words: "line 1 of"),
        (text: "\(SealingKeys.line(1))\n\(SealingKeys.line(7).dropLast())g", words: "line 2 of"),
        (text: "\(SealingKeys.line(1))\(SealingKeys.line(7))", words: "line 1 of"),
        (text: "\(SealingKeys.line(7))\n#\n\(SealingKeys.line(7))", words: "line 3 of"),
    ])
    func `an invalid key file is refused, and the message does not quote it`(text: String, words: String) throws {
        let refusal = refusal(try folder.write(text, to: "keys"))
        #expect(refusal.hasPrefix("--journal-key cannot be used: \(words) \(folder("keys"))"))
        // Ignore the folder, whose name is random.
        let told = refusal.replacing(folder("keys"), with: "")
        #expect(!told.contains("secret") && !told.contains("0707"))
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o610, 0o602])
    func `a key file that others may read or write is refused`(permissions: Int) throws {
        let path = try folder.write(SealingKeys.line(1), to: "keys", permissions: permissions)
        #expect(refusal(path).contains("\(path) can be read or written by users other than its owner; prevent that"))
    }

    @Test func `if the key file is missing or unreadable, the error describes what a key is`() {
        #expect(
            refusal(folder("none")).contains("cannot read \(folder("none")): No such file or directory; name a file"))
        #expect(refusal(folder.path).contains("cannot read \(folder.path): Is a directory"))
    }

    @Test func `a key file that is too large is not read`() throws {
        let path = try folder.write(String(repeating: "#", count: 65_537), to: "keys")
        #expect(refusal(path).contains("File too large"))
    }
}

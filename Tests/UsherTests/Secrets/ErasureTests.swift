import Testing
import Usher
import UsherJSON

@Suite("Secrets: when replay can do without")
struct ErasureTests {
    @Test func `one that a handler ignores can go at once, and is told once`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"ignore":{"_0":"a"}}"#) == [2])
        #expect(try vault.event(#""useKept""#) == [])
    }

    @Test func `one that a coordinator keeps can go when it lets go`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"keep":{"password":"a"}}"#) == [])
        #expect(try vault.event(#""useKept""#) == [])
        #expect(try vault.event(#"{"keep":{"password":"b"}}"#) == [2])
        #expect(try vault.event(#""drop""#) == [4])
        vault.erase(2)
        try vault.replay()
        #expect(vault.tree.takeErasableRevisions() == [4])
        vault.erase(4)
        try vault.replay()
        #expect(vault.tree.takeErasableRevisions() == [])
    }

    @Test func `one that a handler reads stays`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"read":{"password":"a"}}"#) == [])
        #expect(try vault.handle(#"{"back":true}"#) == [])
        try vault.replay()
        #expect(vault.tree.takeErasableRevisions() == [])
    }

    @Test func `one that a later handler reads stays`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"keep":{"password":"apple"}}"#) == [])
        #expect(try vault.event(#""readKept""#) == [])
        #expect(try vault.handle(#"{"back":true}"#) == [])
        #expect(try vault.event(#""drop""#) == [])
    }

    @Test func `one that is read while it is decoded stays`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"check":{"_0":"a"}}"#) == [])
        #expect(vault.entries[1].found == [#""a""#])
    }

    @Test func `options that nobody reads can go with their coordinator`() throws {
        let vault = try Vault(options: #"{"key":"kiwi"}"#)
        #expect(vault.tree.takeErasableRevisions() == [])
        #expect(try vault.event(#"{"end":{"_0":"r"}}"#) == [1, 2])
    }

    @Test func `options that the app reads stay`() throws {
        let vault = try Vault(options: #"{"key":"kiwi","reads":true}"#)
        #expect(vault.entries[0].found == [#""kiwi""#])
        // The root ends, and lets go of its options.
        #expect(try vault.event(#"{"end":{"_0":"r"}}"#) == [2])
    }

    @Test func `what somebody reads outside of a handler does not count`() async throws {
        let keeper = Keeper()
        let tree = try Tree(root: keeper, seed: 1, time: Timestamp(milliseconds: 0))
        let json = try JSONDocument(parsing: Array(#"{"event":{"keep":{"password":"a"}}}"#.utf8)).root
        _ = try tree.handle(Input(try InputAction(json), at: Timestamp(milliseconds: 0)))
        try await readElsewhere(try #require(keeper.kept))
        #expect(tree.takeErasableRevisions() == [])
        keeper.kept = nil
        #expect(tree.takeErasableRevisions() == [2])
    }

    @Test func `what is read elsewhere while handlers run does not count`() async throws {
        let keeper = Keeper()
        let tree = try Tree(root: keeper, seed: 1, time: Timestamp(milliseconds: 0))
        let json = try JSONDocument(parsing: Array(#"{"event":{"keep":{"password":"a"}}}"#.utf8)).root
        let input = Input(try InputAction(json), at: Timestamp(milliseconds: 0))
        var readers: [Task<Void, any Error>] = []
        for _ in 2..<200 {
            _ = try tree.handle(input)
            readers.append(read(try #require(keeper.kept)))
        }
        keeper.kept = nil
        for reader in readers { try await reader.value }
        readers = []
        #expect(tree.takeErasableRevisions() == Array(2..<200))
    }

    private func read(_ secret: Secret<String>) -> Task<Void, any Error> {
        Task.detached { for _ in 0..<100 { _ = try secret.reveal() } }
    }

    private func readElsewhere(_ secret: Secret<String>) async throws {
        #expect(try await Task.detached { try secret.reveal() }.value == "a")
        #expect(try secret.reveal() == "a")
    }

    @Test func `an input that is undone changes nothing`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"keep":{"password":"apple"}}"#) == [])
        _ = try vault.rejection(of: #"{"fail":{"password":"b"}}"#)
        #expect(vault.tree.isBroken)
        #expect(vault.tree.inputSecrets.isEmpty)
        try vault.replay()
        #expect(vault.tree.takeErasableRevisions() == [])
        #expect(try vault.event(#""drop""#) == [2])
    }

    @Test func `null beside a secret keeps it, for it could not be told from an erased one`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"offer":{"code":null,"other":"a"}}"#) == [])
        #expect(vault.entries[1].found == [#""a""#])
        #expect(try vault.event(#"{"offer":{"code":"a"}}"#) == [3])
    }

    @Test func `one that a type tried to read otherwise stays`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"either":{"_0":7}}"#) == [2])
        #expect(try vault.event(#"{"either":{"_0":"a"}}"#) == [])
        #expect(vault.entries[2].found == [#""a""#])
        vault.erase(2)
        try vault.replay()
    }

    @Test func `a link that waits keeps its secrets until it is followed`() throws {
        let vault = try Vault()
        #expect(try vault.handle(#"{"open":[{"wait":{"code":"a"}}]}"#) == [])
        #expect(vault.entries[1].found == [#""a""#])
        // Followed at the end of this input; the screen shows the secret from then on.
        #expect(try vault.event(#""drop""#) == [])
        vault.erase(2)
        try vault.replay()
    }

    @Test func `a link that reads its secret when it is followed at last keeps it`() throws {
        let vault = try Vault()
        #expect(try vault.handle(#"{"open":[{"look":{"code":"a"}}]}"#) == [])
        #expect(try vault.event(#""drop""#) == [])
        #expect(vault.shown.contains(#""pending":[]"#))
        #expect(try vault.event(#""useKept""#) == [])
    }

    @Test func `steps that nobody has decoded yet are masked as a whole, and kept`() throws {
        let vault = try Vault()
        #expect(try vault.handle(#"{"open":["deeper",{"enter":{"code":"a"}}]}"#) == [])
        #expect(vault.entries[1].found == [#"{"code":"a"}"#])
        #expect(try vault.event(#""useKept""#) == [])
        #expect(try vault.event(#""drop""#) == [])
        try vault.replay()
    }

    @Test func `a link that is replaced lets go of its secrets`() throws {
        let vault = try Vault(link: #"[{"wait":{"code":"a"}}]"#)
        #expect(vault.entries[0].found == [#""a""#])
        #expect(vault.tree.takeErasableRevisions() == [])
        #expect(try vault.handle(#"{"open":[{"enter":{"code":"b"}}]}"#) == [1])
        vault.erase(1)
        try vault.replay()
    }

    @Test func `a link that reads its secret before it has to wait keeps it`() throws {
        let vault = try Vault()
        #expect(try vault.handle(#"{"open":[{"peek":{"code":"a"}}]}"#) == [])
        #expect(try vault.handle(#"{"open":[{"enter":{"code":"b"}}]}"#) == [])
    }

    @Test func `reading an erased secret fails the input with its cause`() throws {
        let vault = try Vault()
        _ = try vault.event(#"{"keep":{"password":"a"}}"#)
        vault.erase(2)
        try vault.replay()
        let rejection = try vault.rejection(of: #""readKept""#)
        #expect(rejection.kind == .failed)
        #expect(rejection.cause?.contains("erased") == true)
        #expect(vault.tree.isBroken)
    }
}

/// Keeps what it is sent where a test can reach it.
private final class Keeper: Coordinator<Never> {
    var kept: Secret<String>?

    override func start() {
        push(VaultScreen()) { me, event in
            if case .keep(let password) = event { me.kept = password }
        }
    }
}

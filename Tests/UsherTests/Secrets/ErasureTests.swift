import Testing
import Usher
import UsherJSON

@Suite("Secrets: when they can be erased")
struct ErasureTests {
    @Test func `a secret that a handler does not use can be erased at once, and is reported once`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"ignore":{"_0":"a"}}"#) == [2])
        #expect(try vault.event(#""useKept""#) == [])
    }

    @Test func `a secret that a coordinator keeps can be erased when it is released`() throws {
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

    @Test func `a secret is not erased if a handler reads it`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"read":{"password":"a"}}"#) == [])
        #expect(try vault.handle(#"{"back":true}"#) == [])
        try vault.replay()
        #expect(vault.tree.takeErasableRevisions() == [])
    }

    @Test func `a secret is not erased if a later handler reads it`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"keep":{"password":"apple"}}"#) == [])
        #expect(try vault.event(#""readKept""#) == [])
        #expect(try vault.handle(#"{"back":true}"#) == [])
        #expect(try vault.event(#""drop""#) == [])
    }

    @Test func `a secret is not erased if it is read while it is decoded`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"check":{"_0":"a"}}"#) == [])
        #expect(vault.entries[1].found == [#""a""#])
    }

    @Test func `secret options that are never read can be erased when their coordinator is released`() throws {
        let vault = try Vault(options: #"{"key":"kiwi"}"#)
        #expect(vault.tree.takeErasableRevisions() == [])
        #expect(try vault.event(#"{"end":{"_0":"r"}}"#) == [1, 2])
    }

    @Test func `secret options that the app reads are not erased`() throws {
        let vault = try Vault(options: #"{"key":"kiwi","reads":true}"#)
        #expect(vault.entries[0].found == [#""kiwi""#])
        // The root ends, and releases its options.
        #expect(try vault.event(#"{"end":{"_0":"r"}}"#) == [2])
    }

    @Test func `a secret that is read only outside a handler can be erased`() async throws {
        let keeper = Keeper()
        let tree = try Tree(root: keeper, seed: 1, time: Timestamp(milliseconds: 0))
        let json = try JSONDocument(parsing: Array(#"{"event":{"keep":{"password":"a"}}}"#.utf8)).root
        _ = try tree.handle(Input(try InputAction(json), at: Timestamp(milliseconds: 0)))
        try await readElsewhere(try #require(keeper.kept))
        #expect(tree.takeErasableRevisions() == [])
        keeper.kept = nil
        #expect(tree.takeErasableRevisions() == [2])
    }

    @Test func `a secret that another thread reads while a handler runs can be erased`() async throws {
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

    @Test func `undoing an input does not make any secret erasable`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"keep":{"password":"apple"}}"#) == [])
        _ = try vault.rejection(of: #"{"fail":{"password":"b"}}"#)
        #expect(vault.tree.isBroken)
        #expect(vault.tree.inputSecrets.isEmpty)
        try vault.replay()
        #expect(vault.tree.takeErasableRevisions() == [])
        #expect(try vault.event(#""drop""#) == [2])
    }

    @Test func `a secret next to a member that is null is kept, because an erased secret would also be null`() throws {
        let vault = try Vault()
        #expect(try vault.event(#"{"offer":{"code":null,"other":"a"}}"#) == [])
        #expect(vault.entries[1].found == [#""a""#])
        #expect(try vault.event(#"{"offer":{"code":"a"}}"#) == [3])
    }

    @Test func `a secret is not erased if its type also tried to decode another type from the same value`()
        throws
    {
        let vault = try Vault()
        #expect(try vault.event(#"{"either":{"_0":7}}"#) == [2])
        #expect(try vault.event(#"{"either":{"_0":"a"}}"#) == [])
        #expect(vault.entries[2].found == [#""a""#])
        vault.erase(2)
        try vault.replay()
    }

    @Test func `the secrets of a waiting link are kept until the link is opened`() throws {
        let vault = try Vault()
        #expect(try vault.handle(#"{"open":[{"wait":{"code":"a"}}]}"#) == [])
        #expect(vault.entries[1].found == [#""a""#])
        // The link is followed at the end of this input, and then the screen shows the secret.
        #expect(try vault.event(#""drop""#) == [])
        vault.erase(2)
        try vault.replay()
    }

    @Test func `a secret in a waiting link is not erased if it is read when the link is opened`() throws {
        let vault = try Vault()
        #expect(try vault.handle(#"{"open":[{"look":{"code":"a"}}]}"#) == [])
        #expect(try vault.event(#""drop""#) == [])
        #expect(vault.shown.contains(#""pending":[]"#))
        #expect(try vault.event(#""useKept""#) == [])
    }

    @Test func `steps of a link that are not decoded yet are masked completely and kept`() throws {
        let vault = try Vault()
        #expect(try vault.handle(#"{"open":["deeper",{"enter":{"code":"a"}}]}"#) == [])
        #expect(vault.entries[1].found == [#"{"code":"a"}"#])
        #expect(try vault.event(#""useKept""#) == [])
        #expect(try vault.event(#""drop""#) == [])
        try vault.replay()
    }

    @Test func `the secrets of a waiting link can be erased when another link replaces the link`() throws {
        let vault = try Vault(link: #"[{"wait":{"code":"a"}}]"#)
        #expect(vault.entries[0].found == [#""a""#])
        #expect(vault.tree.takeErasableRevisions() == [])
        #expect(try vault.handle(#"{"open":[{"enter":{"code":"b"}}]}"#) == [1])
        vault.erase(1)
        try vault.replay()
    }

    @Test func `a secret in a link is not erased if it is read before the link has to wait`() throws {
        let vault = try Vault()
        #expect(try vault.handle(#"{"open":[{"peek":{"code":"a"}}]}"#) == [])
        #expect(try vault.handle(#"{"open":[{"enter":{"code":"b"}}]}"#) == [])
    }

    @Test func `an input fails if it reads an erased secret, and the error states the cause`() throws {
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

/// A coordinator that stores the received secrets where a test can access them.
private final class Keeper: Coordinator<Never> {
    var kept: Secret<String>?

    override func start() {
        push(VaultScreen()) { me, event in
            if case .keep(let password) = event { me.kept = password }
        }
    }
}

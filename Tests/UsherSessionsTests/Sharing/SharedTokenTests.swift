import Synchronization
import Testing
import Usher
import UsherJournal

@testable import UsherSessions

@Suite("Tokens on several servers", .timeLimit(.minutes(5)))
struct SharedTokenTests {
    private let group = ServerGroup(tokens: TokenIssuer(key: [1]))

    private func claim(_ token: SessionToken?, isReading: Bool = true) -> SessionClaim {
        .shown(token?.hash, isReading: isReading)
    }

    private func isDenied(_ id: SessionID, _ token: SessionToken?, on server: Int) async throws -> Bool {
        let error = try await group.error { try await group.registries[server].snapshot(of: id, for: claim(token)) }
        if case .denied = error { return true }
        return false
    }

    @Test func `after one server has rotated a token, every other server refuses the old token`() async throws {
        let opening = try await group.registries[0].open("ledger")
        let id = opening.session.id
        #expect(try await !isDenied(id, opening.token, on: 1))
        let next = try await group.registries[0].newToken(
            of: id, for: claim(opening.token, isReading: false), TokenChange.rotate)
        for server in 0...1 {
            #expect(try await isDenied(id, opening.token, on: server))
            #expect(try await isDenied(id, nil, on: server))
            #expect(try await !isDenied(id, next, on: server))
        }
    }

    @Test func `an old token cannot change the session, even on a server whose tree is outdated`() async throws {
        let opening = try await group.registries[0].open("ledger")
        let id = opening.session.id
        #expect(try await !isDenied(id, opening.token, on: 1))
        let next = try await group.registries[0].newToken(
            of: id, for: claim(opening.token, isReading: false), TokenChange.rotate)
        func add(_ line: String, _ token: SessionToken?) async throws -> SessionError? {
            let input = try action(#"{"event":{"add":{"_0":"\#(line)"}}}"#)
            let request = InputRequest(input, for: claim(token, isReading: false))
            return try await group.error { try await group.registries[1].handle(request, on: id) }
        }
        guard case .denied(.wrongToken) = try await add("no", opening.token) else {
            Issue.record("it was not denied")
            return
        }
        #expect(try await add("yes", next) == nil)
        #expect(try await group.state(of: id, on: 0).revision == 2)
        try await group.expectAgreement(on: id)
    }

    @Test(arguments: [UInt64(1), 2])
    func `an old token gets no stored answer, even on a server whose tree is outdated`(fingerprint: UInt64) async throws
    {
        let opening = try await group.registries[0].open("ledger")
        let id = opening.session.id
        func add(_ fingerprint: UInt64) async throws -> SessionError? {
            let request = InputRequest(
                try action(#"{"event":{"add":{"_0":"tea"}}}"#), key: IdempotencyKey("k", fingerprint: fingerprint),
                for: claim(opening.token, isReading: false))
            return try await group.error { try await group.registries[1].handle(request, on: id) }
        }
        #expect(try await add(1) == nil)
        _ = try await group.registries[0].newToken(
            of: id, for: claim(opening.token, isReading: false), TokenChange.rotate)
        guard case .denied(.wrongToken) = try await add(fingerprint) else {
            Issue.record("it was not denied")
            return
        }
    }

    @Test func `if another server rotates a watcher's token, the watcher must present the new token within a second`()
        async throws
    {
        let opening = try await group.registries[0].open("ledger")
        let id = opening.session.id
        let watcher = Doorman()
        _ = try await group.registries[1].watch(id, by: watcher, for: claim(opening.token))
        _ = try await group.registries[0].newToken(
            of: id, for: claim(opening.token, isReading: false), TokenChange.rotate)
        #expect(!watcher.hasRestarted)
        await group.registries[1].meetPeers()
        #expect(watcher.hasRestarted)
    }

    @Test func `a repeated opening on another server returns the same token`() async throws {
        let key = IdempotencyKey("k", fingerprint: 1)
        let first = try await group.registries[0].open("ledger", key: key)
        let again = try await group.registries[1].open("ledger", key: key)
        #expect(again.snapshot.isReplayed)
        #expect(again.token?.text == first.token?.text)
        _ = try await group.registries[1].newToken(of: first.session.id, for: .granted, TokenChange.rotate)
        #expect(try await group.registries[0].open("ledger", key: key).token == nil)
    }
}

/// Notes that its client has to show a token anew.
private final class Doorman: SessionWatcher {
    private let restarted = Atomic(false)

    var hasRestarted: Bool { restarted.load(ordering: .acquiring) }

    func see(_ state: SharedSnapshot) {}

    func end(_ reason: WatchEnd) {
        if case .restart = reason { restarted.store(true, ordering: .releasing) }
    }
}

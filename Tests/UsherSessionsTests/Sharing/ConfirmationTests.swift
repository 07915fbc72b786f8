import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("Confirmation of answers by the journal", .timeLimit(.minutes(5)))
struct ConfirmationTests {
    let group = ServerGroup()

    @Test func `a read shows the changes that another server wrote`() async throws {
        let id = try await group.open()
        #expect(try await group.state(of: id, on: 1).revision == 1)
        try await group.add("tea", to: id, on: 0)
        let read = try await group.state(of: id, on: 1)
        #expect(read.revision == 2)
        #expect(read.text.contains("tea"))
        #expect(try await group.registries[1].report(of: id).isEmpty == false)
        try await group.expectAgreement(on: id)
    }

    @Test func `a read would be stale if the journal did not confirm it`() async throws {
        let id = try await group.open()
        group.journals[1].confirmNothing()
        #expect(try await group.state(of: id, on: 1).revision == 1)
        try await group.add("tea", to: id, on: 0)
        #expect(try await group.state(of: id, on: 1).revision == 1)
    }

    @Test func `a precondition is checked against the newest revision of all servers`() async throws {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        try await group.add("tea", to: id, on: 0)
        let error = try await group.error { try await group.add("milk", to: id, on: 1, if: 1) }
        guard case .preconditionFailed(let current)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(current.revision == 2)
        // Conversely, an input that a stale tree would refuse is accepted.
        _ = try await group.state(of: id, on: 0)
        try await group.add("milk", to: id, on: 1, if: 2)
        #expect(try await group.add("sugar", to: id, on: 0, if: 3).revision == 4)
    }

    @Test func `an input is stale if another server covered its screen, but not if another server showed its screen`()
        async throws
    {
        let group = ServerGroup(apps: [StepsApp.self])
        let id = try await group.open("steps")
        _ = try await group.state(of: id, on: 1)
        try await group.perform(#"{"screen":1,"event":"push"}"#, on: id, at: 0)
        #expect(try await group.perform(#"{"screen":2,"event":"push"}"#, on: id, at: 1).revision == 3)
        let error = try await group.error {
            try await group.perform(#"{"screen":2,"event":"push"}"#, on: id, at: 0)
        }
        guard case .rejected(let rejection, let current)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(rejection.kind == .stale)
        #expect(current.revision == 3)
        try await group.expectAgreement(on: id)
    }

    @Test func `a refusal is checked against the newest revision of all servers, and returns the newest state`()
        async throws
    {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        try await group.add("tea", to: id, on: 0)
        for event in [#""refuse""#, #"{"add":{"_0":7}}"#] {
            let error = try await group.error { try await group.send(event, to: id, on: 1) }
            guard case .rejected(_, let current)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(current.revision == 2)
        }
        try await group.expectAgreement(on: id)
    }

    @Test func `a session that another server ended has ended on all servers, and its stored answers are returned`()
        async throws
    {
        let id = try await group.open()
        let first = try await group.add("tea", to: id, on: 0, key: "a")
        #expect(try await group.state(of: id, on: 1).revision == 2)
        _ = try await group.registries[0].end(id)
        for _ in 0..<2 {
            guard case .ended(let tombstone)? = try await group.error({ try await group.state(of: id, on: 1) }) else {
                Issue.record("it lives")
                return
            }
            #expect(tombstone.reason == .deleted)
        }
        #expect(try await group.add("tea", to: id, on: 1, key: "a").state == first.state)
        #expect(group.registries[1].liveCoordinators == 0)
        #expect(group.registries[1].awakeCount == 0)
    }

    @Test func `a session lives again if the journal has lost the session's end`() async throws {
        let id = try await group.open()
        let before = group.store.records
        _ = try await group.registries[0].end(id)
        guard case .ended? = try await group.error({ try await group.state(of: id, on: 1) }) else {
            Issue.record("it lives")
            return
        }
        group.store.goBack(to: before)
        for server in 0...1 { #expect(try await group.state(of: id, on: server).revision == 1) }
    }

    @Test
    func `requests fail while the journal is unreachable, and later the session continues with the same tree`()
        async throws
    {
        let id = try await group.open()
        try await group.add("tea", to: id, on: 0)
        group.journals[0].setReachable(false)
        guard case .notRead? = try await group.error({ try await group.state(of: id, on: 0) }) else {
            Issue.record("it says something")
            return
        }
        group.journals[0].setReachable(true)
        #expect(try await group.state(of: id, on: 0).revision == 2)
        try await group.expectAgreement(on: id)
    }

    @Test func `a repeated key gets the same answer on every server`() async throws {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        let first = try await group.add("tea", to: id, on: 0, key: "a")
        let again = try await group.add("tea", to: id, on: 1, key: "a")
        #expect(again.state == first.state)
        #expect(again.isReplayed)
        #expect(try await group.state(of: id, on: 0).revision == 2)
        try await group.expectAgreement(on: id)
    }

    @Test func `an answer waits for the journal's confirmation, and is created again if the confirmation fails`()
        async throws
    {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        group.journals[1].hold()
        let read = Task { try await group.state(of: id, on: 1) }
        await group.until { group.journals[1].waiting > 0 }
        try await group.add("tea", to: id, on: 0)
        group.journals[1].release()
        #expect(try await read.value.revision == 2)
    }

    @Test func `if only one server uses the journal, no answer needs a confirmation`() async throws {
        let journal = MemoryJournal()
        #expect(journal.peers == nil)
        let registry = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: group.clock)
        let id = try await registry.open("ledger").session.id
        #expect(try await registry.snapshot(of: id).revision == 1)
        #expect(try await registry.nodes().isEmpty)
    }
}

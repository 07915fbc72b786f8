import Testing
import Usher
import UsherJSON
import UsherJournal

@testable import UsherSessions

@Suite("A session whose root starts over", .timeLimit(.minutes(2)))
struct StartOverJournalTests {
    @Test(arguments: JournalKind.available)
    func `the journal of a session that starts over has only the new history, also after a restart`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let registry = try await servers.start(CycleApp.self, build: 1)
            let id = try await registry.open("cycle").session.id
            for event in ["count", "child", "count"] { try await registry.find(id).send(event: event) }
            let again = try await registry.find(id).send(event: "again")
            #expect(again.revision == 5)
            #expect(again.text.contains(#""stack":[{"id":3,"#), "\(again.text)")
            #expect(again.text.contains(#""state":{"cycle":1,"count":0}"#), "\(again.text)")
            #expect(registry.liveCoordinators == 1)
            let entries = try await registry.entries(of: id)
            #expect(entries.map(\.revision) == [5] && entries.map(\.kind) == [.creation])
            let report = try await registry.find(id).report()
            let next = try await servers.start(CycleApp.self, build: 1)
            #expect(try await next.snapshot(of: id).text == again.text)
            #expect(try await next.find(id).report() == report)
            let rolled = try await next.find(id).send(event: "roll")
            #expect(rolled.revision == 6)
            let third = try await servers.start(CycleApp.self, build: 1)
            #expect(try await third.snapshot(of: id).text == rolled.text)
            #expect(try await third.find(id).send(event: "again").text.contains(#""cycle":2"#))
            #expect(try await third.entries(of: id).map(\.revision) == [7])
            let last = try await servers.start(CycleApp.self, build: 1)
            #expect(try await last.snapshot(of: id).text.contains(#""cycle":2"#))
            _ = try await last.find(id).send(event: "finish")
            #expect(last.liveCoordinators == 0)
        }
    }

    @Test(arguments: JournalKind.available)
    func `a repeated key gets the first answer, even if the key's event started the session over`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            var registry = try await servers.start(CycleApp.self, build: 1)
            let id = try await registry.open("cycle").session.id
            let answers = [try await registry.send("roll", "1", id), try await registry.send("again", "2", id)]
            for isRestarted in [false, true] {
                if isRestarted { registry = try await servers.start(CycleApp.self, build: 1) }
                for (answer, request) in zip(answers, [("roll", "1"), ("again", "2")]) {
                    let kept = try await registry.send(request.0, request.1, id)
                    #expect(kept.isReplayed && kept.text == answer.text)
                }
                #expect(try await registry.snapshot(of: id).revision == 3)
            }
        }
    }

    @Test(arguments: JournalKind.available)
    func `a waiting link is opened on the first new root coordinator that is ready for the link`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            var registry = try await servers.start(CycleApp.self, build: 1)
            let id = try await registry.open("cycle").session.id
            try await registry.find(id).send(#"{"open":["third"]}"#)
            for cycle in 1...2 {
                let text = try await registry.find(id).send(event: "again").text
                #expect(text.contains(#""pending":["timer","open"]"#), "\(text)")
                registry = try await servers.start(CycleApp.self, build: 1)
                #expect(try await registry.snapshot(of: id).text == text, "cycle \(cycle)")
            }
            let text = try await registry.find(id).send(event: "again").text
            #expect(text.contains(#""pending":["timer"]"#) && text.contains(#""cycle":33"#), "\(text)")
            registry = try await servers.start(CycleApp.self, build: 1)
            #expect(try await registry.snapshot(of: id).text == text)
        }
    }

    @Test(arguments: JournalKind.available)
    func `a leak in the history before the new start is still reported, even after a restart`(kind: JournalKind)
        async throws
    {
        try await ShopServers.use(kind) { servers in
            let registry = try await servers.start(CycleApp.self, build: 1)
            let id = try await registry.open("cycle").session.id
            try await registry.find(id).send(event: "leak")
            let again = try await registry.find(id).send(event: "again")
            let leak = #""leaks":[{"type":"CycleChildCoordinator","coordinator":"cycle/cycleChild","revision":3,"#
            #expect(again.text.contains(leak + #""input":"event again""#), "\(again.text)")
            let report = try await registry.find(id).report()
            let next = try await servers.start(CycleApp.self, build: 1)
            #expect(try await next.snapshot(of: id).text.contains(leak))
            #expect(try await next.find(id).report() == report)
        }
    }

    @Test(arguments: JournalKind.available)
    func `starting over cancels the former root's timers, and only the new root's timer is pending`(kind: JournalKind)
        async throws
    {
        try await ShopServers.use(kind) { servers in
            let registry = try await servers.start(CycleApp.self, build: 1)
            let id = try await registry.open("cycle").session.id
            let before = try await registry.find(id).send(event: "wait")
            #expect(before.text.contains(#""pending":["timer","timer"]"#))
            #expect(try await registry.find(id).send(event: "again").text.contains(#""pending":["timer"]"#))
            #expect(registry.find(id).hasWork(EffectID(revision: 3, index: 1)))
            let next = try await servers.start(CycleApp.self, build: 1)
            #expect(try await next.snapshot(of: id).text.contains(#""pending":["timer"]"#))
            #expect(next.find(id).hasWork(EffectID(revision: 3, index: 1)))
        }
    }

    @Test(arguments: JournalKind.available)
    func `a revision before the new start cannot be shown, and the error states the reason`(kind: JournalKind)
        async throws
    {
        try await ShopServers.use(kind) { servers in
            let registry = try await servers.start(CycleApp.self, build: 1)
            let id = try await registry.open("cycle").session.id
            let states = try await ["count", "again", "count", "roll"].asyncMap {
                try await registry.find(id).send(event: $0).text
            }
            for (revision, state) in zip(3..., states.dropFirst()) {
                #expect(String(decoding: try await registry.state(of: id, at: revision), as: UTF8.self) == state)
            }
            for revision in [0, 1, 2, 6] {
                await #expect { try await registry.state(of: id, at: revision) } throws: { error in
                    guard case SessionError.noRevision(let reason) = error else { return false }
                    return reason.contains("the revisions 3 to 5, because it has started over")
                }
            }
            let points = try await registry.memoryHistory(of: id, limit: 10)
            #expect(points.map(\.revision) == [3, 4, 5])
            #expect(points.map(\.coordinators.created) == [2, 2, 2])
            #expect(
                try await registry.walk(of: id, limit: 10).steps.map(\.input) == [
                    "create", "event count", "event roll",
                ])
        }
    }

    @Test(arguments: JournalKind.available)
    func `a session that has started over can be forked, exported and imported`(kind: JournalKind) async throws {
        try await ShopServers.use(kind) { servers in
            var registry = try await servers.start(CycleApp.self, build: 1)
            let id = try await registry.open("cycle").session.id
            for event in ["count", "again", "count", "count"] { try await registry.find(id).send(event: event) }
            let state = String(decoding: try await registry.state(of: id, at: 4), as: UTF8.self)
            let fork = try await registry.fork(id, at: 4)
            #expect(fork.snapshot.text == state.replacing(id.text, with: fork.session.id.text))
            let archive = try await registry.archive(id, through: 4, by: "1")
            let read = try SessionArchive(JSONDocument(parsing: archive.json).root)
            let copy = try await registry.open(read)
            #expect(copy.snapshot.text == state.replacing(id.text, with: copy.session.id.text))
            let exported = try await registry.exported(id, through: nil)
            #expect(
                exported.steps.map { String(decoding: $0.body, as: UTF8.self) }
                    == Array(repeating: #"{"event":"count"}"#, count: 2))
            #expect(String(decoding: exported.options, as: UTF8.self).contains(#""cycle":1"#))
            registry = try await servers.start(CycleApp.self, build: 1)
            for copy in [fork, copy] {
                #expect(try await registry.snapshot(of: copy.session.id).text == copy.snapshot.text)
                #expect(try await registry.find(copy.session.id).send(event: "again").revision == 5)
            }
        }
    }

    @Test(arguments: JournalKind.available)
    func `if the app was renamed, a session that starts over can be imported and served by the former build`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let id = try await servers.start(CycleApp.self, build: 1).open("cycle").session.id
            let renamed = try await servers.start(RenamedCycleApp.self, build: 2)
            let again = try await renamed.find(id).send(event: "again")
            let json = try await renamed.archive(id, through: nil, by: "1").json
            let archive = try SessionArchive(JSONDocument(parsing: json).root)
            let copy = try await renamed.open(archive)
            #expect(copy.snapshot.text.contains(#""cycle":1"#))
            let former = try await servers.start(CycleApp.self, build: 1)
            #expect(try await former.snapshot(of: id).revision == again.revision)
        }
    }

    @Test(arguments: JournalKind.available)
    func `a secret in the options is kept in the new history and masked in output`(kind: JournalKind) async throws {
        try await ShopServers.use(kind) { servers in
            let registry = try await servers.start(CycleApp.self, build: 1)
            let id = try await registry.open("cycle", options: Array(#"{"password":"hunter2"}"#.utf8)).session.id
            try await registry.find(id).send(event: "again")
            let entry = try #require(try await registry.entries(of: id).first)
            #expect(!entry.secrets.isEmpty && !entry.isErased)
            #expect(!String(decoding: entry.maskedPayload, as: UTF8.self).contains("hunter2"))
            let next = try await servers.start(CycleApp.self, build: 1)
            #expect(try await next.find(id).send(event: "again").text.contains(#""cycle":2"#))
            #expect(try await next.entries(of: id).first?.payload.contains(subsequence: "hunter2") == true)
        }
    }

    @Test(arguments: JournalKind.ofOneServer)
    func `starting over resets the session's quota of inputs`(kind: JournalKind) async throws {
        try await ShopServers.use(kind) { servers in
            var bounds = SessionBounds()
            bounds.inputLimit = 5
            let registry = try await servers.start(CycleApp.self, build: 1, bounds)
            let id = try await registry.open("cycle").session.id
            for _ in 1...3 { try await registry.find(id).send(event: "count") }
            let again = try await registry.find(id).send(event: "again")
            #expect(!again.text.contains("warnings"))
            for _ in 1...4 { try await registry.find(id).send(event: "count") }
            let error = try await registry.find(id).error(of: #"{"event":"count"}"#)
            guard case .rejected(let rejection, _)? = error else {
                Issue.record("it was accepted")
                return
            }
            #expect(
                rejection.reason.contains("its limit of 5 inputs")
                    && rejection.reason.contains("startOver(with:)"))
        }
    }

    @Test(arguments: JournalKind.available)
    func `a session that exceeds a server's lower limit of inputs keeps the former limit`(
        kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            var bounds = SessionBounds()
            bounds.inputLimit = 8
            let registry = try await servers.start(CycleApp.self, build: 1, bounds)
            let id = try await registry.open("cycle").session.id
            for _ in 1...5 { try await registry.find(id).send(event: "count") }
            bounds.inputLimit = 4
            for isLowered in [true, true] {
                let next = try await servers.start(CycleApp.self, build: 1, bounds)
                if isLowered { try await next.find(id).send(event: "count") }
            }
            let last = try await servers.start(CycleApp.self, build: 1, bounds)
            #expect(try await last.find(id).error(of: #"{"event":"count"}"#) != nil)
            #expect(try await last.snapshot(of: id).text.contains("has used 8 of 8 inputs"))
        }
    }

    @Test func `if one server starts a session over, another server handles the next input on the new tree`()
        async throws
    {
        let group = ServerGroup(apps: [CycleApp.self])
        let id = try await group.open("cycle")
        for server in [1, 0] { try await group.send(#""count""#, to: id, on: server) }
        #expect(!group.store.work(of: id.key).isEmpty)
        try await group.send(#""again""#, to: id, on: 0)
        #expect(group.store.work(of: id.key) == [WorkPiece(revision: 4, place: 1)])
        let next = try await group.send(#""count""#, to: id, on: 1)
        #expect(next.revision == 5 && next.text.contains(#""state":{"cycle":1,"count":1}"#), "\(next.text)")
        try await group.send(#""again""#, to: id, on: 1)
        let stale = try await group.error { try await group.send(#""again""#, to: id, on: 0, if: 5) }
        guard case .preconditionFailed(let current)? = stale else {
            Issue.record("\(String(describing: stale))")
            return
        }
        #expect(current.revision == 6)
        try await group.expectAgreement(on: id)
    }
}

extension SessionRegistry {
    /// Sends an event under a key.
    fileprivate func send(_ event: String, _ key: String, _ id: SessionID) async throws -> Snapshot {
        let key = IdempotencyKey(key, fingerprint: 1)
        return try await handle(InputRequest(try action(#"{"event":"\#(event)"}"#), key: key), on: id)
    }
}

extension Session {
    @discardableResult
    fileprivate func send(event: String) async throws -> Snapshot { try await send(#"{"event":"\#(event)"}"#) }
}

extension [UInt8] {
    fileprivate func contains(subsequence text: String) -> Bool { String(decoding: self, as: UTF8.self).contains(text) }
}

extension Session {
    /// Returns a Boolean value indicating whether the tree waits for a piece of work, and for nothing else.
    fileprivate func hasWork(_ id: EffectID) -> Bool {
        ifFree { $0.look { $0.inquire { $1.work.map(\.id) } } } == [id]
    }
}

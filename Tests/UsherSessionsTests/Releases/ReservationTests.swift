import Testing
import Usher
import UsherJournal

@testable import UsherSessions

@Suite("Ids of a resumption that is not written", .timeLimit(.minutes(2)))
struct ReservationTests {
    @Test(arguments: JournalKind.available)
    func `after the former build continues a session, no screen gets an id that the new build has shown`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let id = try await Self.session(in: servers)
            let look = try await servers.start(Cafe<CafeThatOffers>.self, build: 2).snapshot(of: id)
            #expect(try look.text.contains(#""screen":"offer""#) && look.displayedIDs == [1, 3])
            var old = try await servers.start(Cafe<CafeWithTables>.self, build: 1).find(id)
            #expect(try await old.snapshot().displayedIDs == [1, 2])
            try await old.send(#"{"back":true}"#)
            #expect(try await old.send(#"{"event":"sit"}"#).displayedIDs == [1, 4])
            let error = try await old.error(of: #"{"screen":3,"event":"okay"}"#)
            guard case .rejected(let rejection, _)? = error else { throw try #require(error) }
            #expect(rejection.kind == .stale && rejection.reason.hasPrefix("screen 3 is gone"))
            // A replay assigns the same ids.
            old = try await servers.start(Cafe<CafeWithTables>.self, build: 1).find(id)
            #expect(try await old.snapshot().displayedIDs == [1, 4])
        }
    }

    @Test(arguments: JournalKind.available)
    func `a build shows the same ids again after a restart, and another build shows different ids`(on kind: JournalKind)
        async throws
    {
        try await ShopServers.use(kind) { servers in
            let id = try await Self.session(in: servers)
            func look(_ app: any App.Type, build: UInt64) async throws -> [Int] {
                try await servers.start(app, build: build).snapshot(of: id).displayedIDs
            }
            for _ in 0..<2 { #expect(try await look(Cafe<CafeThatOffers>.self, build: 2) == [1, 3]) }
            for _ in 0..<2 { #expect(try await look(Cafe<CafeThatApologizes>.self, build: 3) == [1, 4]) }
            for _ in 0..<2 { #expect(try await look(Cafe<CafeThatOffers>.self, build: 2) == [1, 5]) }
            let new = try await servers.start(Cafe<CafeThatOffers>.self, build: 2).find(id)
            let walked = try await new.send(#"{"screen":5,"event":"okay"}"#)
            #expect(try walked.displayedIDs == [1])
            #expect(try await new.send(#"{"event":"sit"}"#).displayedIDs == [1, 6])
        }
    }

    @Test func `if a build later shows a different screen in a resumed session, the screen gets a different id`()
        async throws
    {
        try await ShopServers.use(.memory) { servers in
            let id = try await Self.session(in: servers)
            func look() async throws -> [Int] {
                try await servers.start(Cafe<CafeThatChangesItsMind>.self, build: 2).snapshot(of: id).displayedIDs
            }
            for _ in 0..<2 { #expect(try await look() == [1, 3]) }
            servers.clock.advance(by: 1_000)
            for _ in 0..<2 { #expect(try await look() == [1, 4]) }
        }
    }

    @Test(arguments: JournalKind.available)
    func `a session that resumes at its beginning gives its screens ids that no client knows`(on kind: JournalKind)
        async throws
    {
        try await ShopServers.use(kind) { servers in
            let id = try await Self.session(in: servers)
            for _ in 0..<2 {
                let new = try await servers.start(Cafe<CafeWithoutMenu>.self, build: 2)
                #expect(try await new.snapshot(of: id).displayedIDs == [3, 4])
            }
            let old = try await servers.start(Cafe<CafeWithTables>.self, build: 1).find(id)
            for screen in 3...4 {
                #expect(try await old.error(of: #"{"screen":\#(screen),"event":"pay"}"#) != nil, "\(screen)")
            }
            try await old.send(#"{"back":true}"#)
            #expect(try await old.send(#"{"event":"sit"}"#).displayedIDs == [1, 5])
        }
    }

    @Test func `reading a resumed session reserves no ids in the journal if the session shows no new id`() async throws
    {
        try await ShopServers.use(.memory) { servers in
            let id = try await Self.session(in: servers)
            let new = try await servers.start(Cafe<CafeWithBar>.self, build: 2)
            #expect(try await new.snapshot(of: id).displayedIDs == [1])
            #expect(try await new.settings.journal.head(of: id.key)?.header.reservation == nil)
        }
    }

    /// A session of the first build at a table: the menu is screen 1, and the table is screen 2.
    private static func session(in servers: ShopServers) async throws -> SessionID {
        let session = try await servers.start(Cafe<CafeWithTables>.self, build: 1).open("cafe").session
        try await session.send(#"{"event":"sit"}"#)
        return session.id
    }
}

import Testing
import Usher
import UsherJSON
import UsherJournal
import UsherProcess

@testable import UsherSessions

@Suite("Guilty inputs on several servers", .timeLimit(.minutes(5)))
struct SharedGuiltTests {
    private let clock = ManualClock()
    private let store: SharedStore
    private let journals: [SharedJournal]
    private let registries: [SessionRegistry]
    private let jury = Jury()

    init() async throws {
        let store = SharedStore(clock)
        self.store = store
        journals = (0..<3).map { SharedJournal(store, node: $0) }
        var registries: [SessionRegistry] = []
        for journal in journals {
            registries.append(
                SessionRegistry(
                    apps: [StepsApp.self], journal: journal, clock: clock,
                    crashes: try await jury.settings(knowing: journal)))
        }
        self.registries = registries
    }

    private func push(_ id: SessionID, on server: Int) async throws -> Snapshot {
        try await registries[server].handle(InputRequest(try action(#"{"event":"push"}"#)), on: id)
    }

    private func error(pushing id: SessionID, on server: Int) async throws -> String? {
        do {
            _ = try await push(id, on: server)
            return nil
        } catch let error as SessionError {
            return error.name
        }
    }

    /// A second goes by on all servers.
    private func second() async {
        clock.advance(by: 1_000)
        for journal in journals { journal.beat() }
        for registry in registries { await registry.meetPeers() }
    }

    @Test func `if one server records that an input crashed it, all servers refuse the input within a second`()
        async throws
    {
        let id = try await registries[0].open("steps").session.id
        await second()
        try await registries[0].condemn(#"{"event":"push"}"#, on: id)
        await second()
        for server in registries.indices { #expect(try await error(pushing: id, on: server) == "inputCrashes") }
    }

    @Test func `the list of guilty inputs is read only after a change`() async throws {
        let id = try await registries[0].open("steps").session.id
        await second()
        let readings = journals.map(\.ledgerReadings)
        for _ in 0..<20 { await second() }
        #expect(journals.map(\.ledgerReadings) == readings)
        try await registries[0].condemn(#"{"event":"push"}"#, on: id)
        for _ in 0..<20 { await second() }
        #expect(journals.map(\.ledgerReadings) == readings.map { $0 + 1 })
    }

    @Test func `if one server deletes the record of a crash, all servers serve the session again within a second`()
        async throws
    {
        let id = try await registries[0].open("steps").session.id
        _ = try await push(id, on: 0)
        await second()
        try await registries[0].condemnReplay(of: id, at: 2)
        await second()
        let crash = try #require(registries[1].replayCrash(of: id))
        await #expect(throws: SessionError.self) { _ = try await registries[1].snapshot(of: id) }
        try await journals[2].forget(.only(crash.identity))
        await second()
        #expect(registries[1].replayCrash(of: id) == nil)
        #expect(try await registries[1].snapshot(of: id).revision == 2)
    }

    @Test func `a guilty input that is added while a server reads the list stays in the list`() async throws {
        let id = try await registries[0].open("steps").session.id
        let ledger = registries[0].settings.guilty
        let edition = ledger.edition
        let read = try await journals[0].guiltyInputs()
        try await registries[0].condemn(#"{"event":"push"}"#, on: id)
        #expect(!ledger.replace(with: read, since: edition))
        #expect(try await error(pushing: id, on: 0) == "inputCrashes")
    }

    @Test func `three crashes of one event on one screen are counted together, whichever servers crashed`() async throws
    {
        await second()
        for server in registries.indices {
            let id = try await registries[server].open("steps").session.id
            try await registries[server].condemn(
                #"{"event":"push"}"#, on: id, at: Timestamp(milliseconds: Int64(server)))
        }
        let id = try await registries[0].open("steps").session.id
        await second()
        jury.say(.ended(.restored))
        #expect(try await push(id, on: 2).revision == 2)
        #expect(jury.tried == [#"{"event":"push"}"#])
    }

    @Test func `an input that was in progress at a crash is not refused if another server has handled it since`()
        async throws
    {
        let id = try await registries[0].open("steps").session.id
        #expect(try await push(id, on: 1).revision == 2)
        let mark = FlightMark(
            .input, of: (id.key.high, id.key.low), app: "steps", upon: 1, entryKind: 2,
            payload: Array(#"{"event":"push"}"#.utf8))
        let again = SessionRegistry(
            apps: [StepsApp.self], journal: journals[0], clock: clock,
            crashes: try await jury.settings(knowing: journals[0]))
        await again.recover(from: [mark])
        #expect(try await again.handle(InputRequest(try action(#"{"event":"push"}"#)), on: id).revision == 3)
        // The isolated run replays the record that the other server wrote, without another input.
        #expect(jury.tried == ["nil"])
        #expect(jury.runs.first?.entries.count == 2)
        #expect(try await journals[0].guiltyInputs().isEmpty)
    }

    @Test func `an input that crashed is handled at a newer revision that another server has written`() async throws {
        let id = try await registries[0].open("steps").session.id
        try await registries[0].condemn(#"{"event":"push"}"#, on: id)
        _ = try await registries[0].snapshot(of: id)
        // Another server does not know yet that the input is guilty, and handles it without a crash.
        #expect(try await push(id, on: 1).revision == 2)
        #expect(try await push(id, on: 0).revision == 3)
    }
}

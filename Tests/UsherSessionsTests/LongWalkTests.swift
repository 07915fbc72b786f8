import Foundation
import HelloBye
import Notes
import Programs
import Sooda
import StartLoginMain
import Testing
import Tudy
import Usher
import UsherJSON
import UsherJournal
import UsherSessions

/// Tests that compute for long: `script/test` runs them after all others, which would have to share the processors.
///
/// 2,400 random inputs an app, with what must hold after each of them, and 5,000 sessions; more in a long run.
@Suite("Long walks", .serialized)
struct LongWalkTests {
    private static let apps: [any App.Type] = [
        HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self,
    ]

    /// A refusal replays its session, so many short walks cost less than a long one, and begin anew more often.
    private static let walks = LongRun.choose(6, long: 100)
    private static let inputs = 400

    @Test(arguments: apps.map { $0.name })
    func `a random walk leaves no objects in memory outside its tree, and another process replays the same state`(
        app: String
    )
        async throws
    {
        let journal = MemoryJournal()
        let registry = SessionRegistry(
            apps: Self.apps, journal: journal, clock: ManualClock(), random: CountingRandom())
        var expected: [String] = []
        let key = JournalKey(high: 0, low: 0)
        var recordings: [[[UInt8]]] = []
        for walk in 0..<Self.walks {
            let session = try await registry.open(app, options: Self.options(of: app, in: walk)).session
            try await wander(session, in: app, seed: UInt64(walk))
            guard let record = try journal.record(of: session.id.key), record.head.ending == nil else { continue }
            expected.append(try await stack(of: session))
            recordings.append(record.entries.map { $0.bytes(of: key) })
            #expect(try await registry.end(session.id).isEmpty)
        }
        #expect(registry.coordinatorCounts.live == 0)
        #expect(registry.coordinatorCounts.leaked == 0)
        #expect(try ReplayProgram.stacks(after: recordings) == expected)
    }

    @Test func `many sessions that are opened, used and finished leave nothing in memory`() async throws {
        let registry = SessionRegistry(
            apps: [HelloByeApp.self, StartLoginMainApp.self], clock: ManualClock(), random: CountingRandom())
        let count = LongRun.choose(5_000, long: 100_000)
        for round in 0..<count {
            let session = try await registry.open(round.isMultiple(of: 2) ? "hello-bye" : "start-login-main").session
            for event in round.isMultiple(of: 2) ? ["bye", "hello"] : ["startApp", "login", "profileEdit"] {
                try await session.send(#"{"event":"\#(event)"}"#)
            }
            #expect(try await registry.end(session.id).isEmpty)
        }
        #expect(registry.sessionCount == 0)
        let coordinators = count / 2 * 9
        let counts = CoordinatorCounts(created: coordinators, finished: coordinators, leaked: 0)
        #expect(registry.coordinatorCounts == counts)
        #expect(try await SessionList(of: registry).sessions(matching: SessionQuery(limit: 1)).sessions.isEmpty)
    }

    private func wander(_ session: Session, in app: String, seed: UInt64) async throws {
        var wanderer = try Wanderer(seed: seed, app: try #require(Self.apps.first { $0.name == app }))
        var state = try await session.snapshot().text
        for _ in 0..<Self.inputs {
            let action = wanderer.action(on: try JSONDocument(parsing: Array(state.utf8)).root)
            do {
                // An effect's result can change the state at any time, so the input waits for the effects.
                try await session.send(action, wait: .seconds(5))
                state = try await session.snapshot().text
            } catch let error as SessionError {
                guard case .rejected(let rejection, let current) = error else { throw error }
                #expect(rejection.kind != .failed, "\(action): \(rejection)")
                #expect(current.text == state, "\(action) changed something")
            } catch is JSONError {
                // The text is not an action; the server would answer 400.
            }
            #expect(try await session.snapshot().text == state)
        }
        try await expectWhole(session)
    }

    private func expectWhole(_ session: Session) async throws {
        let report = try JSONDocument(parsing: await session.report()).root
        #expect(report[member: "coordinators"]?[member: "live"]?.integer == Self.count(report[member: "root"]))
        #expect(report[member: "leaks"].map { Array($0.elements).count } == 0)
    }

    private static func count(_ coordinator: JSONValue?) -> Int {
        coordinator?[member: "children"]?.elements.reduce(1) { $0 + count($1) } ?? 1
    }

    /// Every second walk knows its user.
    private static func options(of app: String, in walk: Int) -> [UInt8] {
        let known = ["start-login-main", "tudy"].contains(app) && walk.isMultiple(of: 2)
        return Array((known ? #"{"loggedIn":true}"# : "{}").utf8)
    }

    private func stack(of session: Session) async throws -> String {
        let state = try JSONDocument(parsing: await session.snapshot().state).root
        return ["stack", "tabs", "back", "pending"].map { name in
            state[member: name].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        }.joined(separator: "|")
    }
}

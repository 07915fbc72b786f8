import Foundation
import HelloBye
import LocalhostClient
import Notes
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
/// 10,000 random inputs an app, with what must hold after each of them; and 100,000 sessions.
@Suite("Long walks", .serialized)
struct LongWalkTests {
    private static let apps: [any App.Type] = [
        HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self,
    ]

    /// A refusal replays its session, so many short walks cost less than a long one, and begin anew more often.
    private static let walks = 25
    private static let inputs = 400

    @Test(arguments: apps.map { $0.name })
    func `a random walk leaves nothing but its tree, and replays to the same in another process`(app: String)
        async throws
    {
        // It computes for long, and must not take the threads that other tests' requests run on.
        try await BlockingThreads.run { try walk(app) }
    }

    private func walk(_ app: String) throws {
        let journal = MemoryJournal()
        let registry = SessionRegistry(
            apps: Self.apps, journal: journal, clock: ManualClock(), random: CountingRandom())
        var expected: [String] = []
        var recordings: [[[UInt8]]] = []
        for walk in 0..<Self.walks {
            let session = try registry.open(app, options: Self.options(of: app, in: walk)).session
            try wander(session, seed: UInt64(walk))
            guard case .live = registry.lookUp(session.id) else { continue }
            expected.append(try stack(of: session))
            recordings.append(journal.entries(of: try key(of: session)))
            #expect(try registry.end(session).isEmpty)
        }
        #expect(registry.census.live == 0)
        #expect(registry.census.leaked == 0)
        #expect(try ReplayProgram.stacks(after: recordings) == expected)
    }

    @Test func `100,000 sessions opened, walked and finished leave nothing`() async throws {
        // It computes for long, and must not take the threads that other tests' requests run on.
        try await BlockingThreads.run { try openWalkAndFinish() }
    }

    private func openWalkAndFinish() throws {
        let registry = SessionRegistry(
            apps: [HelloByeApp.self, StartLoginMainApp.self], clock: ManualClock(), random: CountingRandom())
        for round in 0..<100_000 {
            let session = try registry.open(round.isMultiple(of: 2) ? "hello-bye" : "start-login-main").session
            for event in round.isMultiple(of: 2) ? ["bye", "hello"] : ["startApp", "login", "profileEdit"] {
                try session.send(#"{"event":"\#(event)"}"#)
            }
            #expect(try registry.end(session).isEmpty)
        }
        #expect(registry.sessionCount == 0)
        #expect(registry.census == Census(created: 450_000, finished: 450_000, leaked: 0))
        #expect(registry.sessions(limit: 1).isEmpty)
    }

    private func wander(_ session: Session, seed: UInt64) throws {
        var wanderer = try Wanderer(seed: seed, app: session.app)
        var state = try session.snapshot().text
        for _ in 0..<Self.inputs {
            let action = wanderer.action(on: try JSONDocument(parsing: Array(state.utf8)).root)
            do {
                state = try session.send(action).text
            } catch let error as SessionError {
                guard case .rejected(let rejection, let current) = error else { throw error }
                #expect(rejection.kind != .failed, "\(action): \(rejection)")
                #expect(current.text == state, "\(action) changed something")
            } catch is JSONError {
                // No action at all: the server answers 400.
            }
            #expect(try session.snapshot().text == state)
        }
        try expectWhole(session)
    }

    private func expectWhole(_ session: Session) throws {
        let report = try JSONDocument(parsing: session.report()).root
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

    private func stack(of session: Session) throws -> String {
        let state = try JSONDocument(parsing: session.snapshot().state).root
        return ["stack", "tabs", "back", "pending"].map { name in
            state[member: name].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        }.joined(separator: "|")
    }

    private func key(of session: Session) throws -> JournalKey {
        let words = [session.id.text.prefix(16), session.id.text.suffix(16)].map { UInt64($0, radix: 16) ?? 0 }
        return JournalKey(high: words[0], low: words[1])
    }
}

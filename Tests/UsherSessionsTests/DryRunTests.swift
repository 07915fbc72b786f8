import HelloBye
import Notes
import StartLoginMain
import Synchronization
import Testing
import Usher
import UsherJSON
import UsherJournal
import UsherSessions

@Suite("A refused input on a long history", .serialized, .timeLimit(.minutes(5)))
struct DryRunTests {
    private let journal = MemoryJournal()

    private func registry(longHistory: Int = 1_000, _ apps: [any App.Type] = [TallApp.self]) -> SessionRegistry {
        var bounds = SessionBounds()
        bounds.longHistory = longHistory
        return SessionRegistry(
            apps: apps, configuration: bounds, journal: journal, clock: ManualClock(), random: CountingRandom())
    }

    /// Opens a session, and gives it a history.
    private func long(_ count: Int, in registry: SessionRegistry) async throws -> SessionID {
        let session = try await registry.open("tall").session
        for _ in 0..<count { try await session.send(#"{"event":"add"}"#) }
        return session.id
    }

    private func add(_ id: SessionID, in registry: SessionRegistry) async throws -> String {
        try await registry.handle(InputRequest(try action(#"{"event":"add"}"#)), on: id).text
    }

    /// Sends what is refused.
    ///
    /// - Returns: The number of inputs that this process has handled for it, as far as a copy of it did not.
    private func refuse(
        _ id: SessionID, in registry: SessionRegistry, _ event: String = #""refuse""#
    ) async throws -> Int {
        let before = TallApp.handled.load(ordering: .relaxed)
        let state = try await registry.snapshot(of: id).text
        let request = InputRequest(try action(#"{"event":\#(event)}"#))
        await #expect {
            try await registry.handle(request, on: id)
        } throws: { error in
            guard case SessionError.rejected(let rejection, let current) = error else { return false }
            return rejection.kind == .refused && rejection.reason == "not that" && current.text == state
        }
        return TallApp.handled.load(ordering: .relaxed) - before
    }

    /// A copy comes to no answer where another thread held a lock of the runtime's as it was made: so many of some may.
    private static let lostCopies = 2

    /// Sends what is refused a number of times, of which hardly any costs a replay.
    private func expectCopies(
        _ count: Int, _ id: SessionID, in registry: SessionRegistry, _ event: String = #""refuse""#
    ) async throws {
        var replays = 0
        for _ in 0..<count where try await refuse(id, in: registry, event) > 0 { replays += 1 }
        #expect(replays <= Self.lostCopies)
    }

    @Test func `it is handled by a copy of the process, and nothing is replayed`() async throws {
        let registry = registry()
        let id = try await long(1_500, in: registry)
        try await expectCopies(20, id, in: registry)
        #expect(try await add(id, in: registry).contains(#""count":1501"#))
        try await expectCopies(10, id, in: registry)
        #expect(try journal.record(of: id.key)?.head.revision == 1_502)
    }

    @Test func `a session that was just woken replays nothing more`() async throws {
        let id = try await long(1_100, in: registry())
        var (next, replays) = (registry(), 0)
        for _ in 0..<6 {
            next = registry()
            #expect(try await next.snapshot(of: id).text.contains(#""count":1100"#))
            if try await refuse(id, in: next) > 0 { replays += 1 }
        }
        #expect(replays <= Self.lostCopies)
        #expect(try await add(id, in: next).contains(#""count":1101"#))
    }

    @Test func `an event that was accepted before says nothing of another`() async throws {
        let id = try await long(1_100, in: registry())
        var replays = 0
        for number in 1...6 {
            let next = registry()
            #expect(try await add(id, in: next).contains(#""count":\#(1_100 + number)"#))
            if try await refuse(id, in: next) > 0 { replays += 1 }
        }
        #expect(replays <= Self.lostCopies)
    }

    @Test func `where the same event was accepted before, it is replayed once and not again`() async throws {
        let registry = registry()
        let id = try await long(1_100, in: registry)
        #expect(try await registry.handle(InputRequest(try action(Self.give(1))), on: id).revision == 1_102)
        #expect(try await refuse(id, in: registry, #"{"give":{"_0":0}}"#) == 1_102)
        try await expectCopies(10, id, in: registry, #"{"give":{"_0":0}}"#)
        #expect(try await registry.handle(InputRequest(try action(Self.give(2))), on: id).revision == 1_103)
    }

    private static func give(_ number: Int) -> String { #"{"event":{"give":{"_0":\#(number)}}}"# }

    @Test func `a short history is replayed`() async throws {
        let registry = registry()
        let id = try await long(500, in: registry)
        #expect(try await refuse(id, in: registry) == 501)
    }

    @Test func `requests that come at the same time are each answered for the state that they met`() async throws {
        let registry = registry(longHistory: 1)
        let id = try await registry.open("tall").session.id
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                let event = number.isMultiple(of: 2) ? "add" : "refuse"
                let request = InputRequest(try action(#"{"event":"\#(event)"}"#))
                group.addTask {
                    do throws(SessionError) {
                        _ = try await registry.handle(request, on: id)
                        #expect(number.isMultiple(of: 2))
                    } catch {
                        guard case .rejected = error else { throw error }
                        #expect(!number.isMultiple(of: 2))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await registry.snapshot(of: id).text.contains(#""count":20"#))
    }

    @Test func `an effect begins once, and a result that its closure refuses is recorded as refused`() async throws {
        let session = try await registry(longHistory: 1).open("tall").session
        let runs = TallQuestion.runs.load(ordering: .relaxed)
        #expect(try await session.send(#"{"event":"ask"}"#, wait: .seconds(60)).revision == 3)
        #expect(TallQuestion.runs.load(ordering: .relaxed) == runs + 1)
        let entries = try journal.record(of: session.id.key)?.entries ?? []
        let payload = String(decoding: entries.last?.payload ?? [], as: UTF8.self)
        #expect(payload.contains("no such answer"))
    }

    @Test func `E-11: no id is given again that the input has spent`() async throws {
        let session = try await registry(longHistory: 1, [SpoilApp.self]).open("spoil").session
        let before = (try await session.snapshot().text, try await session.report())
        guard case .rejected(let rejection, let current) = try await session.error(of: #"{"event":"spoil"}"#) else {
            Issue.record("not rejected")
            return
        }
        #expect(rejection.reason == "all of it is undone")
        #expect(current.text == before.0)
        #expect(try await session.report() == before.1)
        let after = try await session.send(#"{"event":"show"}"#)
        let ids = try JSONDocument(parsing: after.state).root[member: "stack"]?.elements.compactMap {
            $0[member: "id"]?.integer
        }
        #expect((ids?.last ?? 0) > 6, "\(after.text)")
    }

    private static let apps: [any App.Type] = [
        HelloByeApp.self, NotesApp.self, PlacesApp.self, SpoilApp.self, StartLoginMainApp.self, StepsApp.self,
    ]

    /// Links that fail and are dropped, modals, tabs, and whatever else comes into a wanderer's head.
    @Test(arguments: apps.map { $0.name }, [1, 2])
    func `after any walk a session with dry runs shows what one without does, and what a replay does`(
        name: String, seed: UInt64
    ) async throws {
        let app = try #require(Self.apps.first { $0.name == name })
        let tried = try await registry(longHistory: 1, Self.apps).open(name).session
        let plain = try await SessionRegistry(
            apps: Self.apps, configuration: .undone, clock: ManualClock(), random: CountingRandom()
        ).open(name).session
        var wanderer = try Wanderer(seed: seed, app: app)
        for _ in 0..<120 {
            let state = try JSONDocument(parsing: try await plain.snapshot().state).root
            let action = wanderer.action(on: state)
            let (one, other) = (try await outcome(of: action, on: tried), try await outcome(of: action, on: plain))
            #expect(one == other, "\(action)")
        }
        guard try journal.record(of: tried.id.key)?.head.ending == nil else { return }
        let replayed = try await registry(longHistory: 1, Self.apps).snapshot(of: tried.id)
        #expect(try await stack(replayed) == stack(tried.snapshot()))
    }

    private func outcome(of action: String, on session: Session) async throws -> String {
        do {
            return try await session.send(action).text
        } catch let error as SessionError {
            guard case .rejected(let rejection, let current) = error else { return "\(error)" }
            return "\(rejection.kind) \(rejection.reason) \(rejection.cause ?? "") \(current.text)"
        } catch is JSONError {
            return "no action"
        }
    }

    private func stack(_ snapshot: Snapshot) throws -> [String] {
        let state = try JSONDocument(parsing: snapshot.state).root
        return ["revision", "stack", "tabs", "back"].map { name in
            state[member: name].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        }
    }
}

extension SessionBounds {
    /// Those of sessions that undo every refused input.
    fileprivate static var undone: SessionBounds {
        var bounds = SessionBounds()
        bounds.longHistory = .max
        return bounds
    }
}

/// An app that counts how often its handler runs in this process.
private enum TallApp: App {
    static let name = "tall"
    static let handled = Atomic(0)

    static func root(_ options: NoOptions) -> sending AnyCoordinator { TallCoordinator() }
}

/// An effect that counts how often it runs.
private struct TallQuestion: Effect {
    static let runs = Atomic(0)

    func run(_ context: EffectContext<NoServices>) async throws -> Int { Self.runs.add(1, ordering: .relaxed).newValue }
}

private struct TallScreen: Screen {
    enum Event: Codable { case add, refuse, give(Int), ask }
    static let examples: [Event] = [.add, .refuse, .give(1), .ask]

    var count = 0
}

private final class TallCoordinator: Coordinator<Never> {
    private var screen: Handle<TallScreen>?

    override func start() {
        screen = push(TallScreen()) { me, event in
            TallApp.handled.add(1, ordering: .relaxed)
            me.screen?.update { $0.count += 1 }
            switch event {
            case .refuse, .give(0): throw Refusal("not that")
            case .ask: me.perform(TallQuestion()) { _, _ in throw Refusal("no such answer") }
            case .add, .give: break
            }
        }
    }
}

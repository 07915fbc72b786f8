import Testing
import Usher
import UsherJSON
import UsherJournal

@testable import UsherSessions

@Suite("A release of an app that has users", .timeLimit(.minutes(5)))
struct ReleaseTests {
    /// What a release does to a session.
    private enum Fate: Equatable { case asItWas, resumed, beganAnew, held }

    /// A session at some place in the shop.
    private struct Visit {
        let id: SessionID
        let account: String
        let hasPaid: Bool
        let isPaying: Bool
        let sawAccount: Bool
        let before: Snapshot
    }

    private let journal = MemoryJournal()
    private let clock = ManualClock()

    /// The changes that nobody sees: every session stays as it was.
    private static let invisible: [ShopChange] = [
        .none, .stateGrows, .listOrder, .effectAtStart, .timerAtStart, .hiddenChildAtStart, .classRenamed,
        .coordinatorSplit, .modalStyle, .tabAdded, .hiddenTabRemoved, .hiddenTabRenamed, .eventRenamedDecodingBoth,
        .screenRenamedWithFormerName, .price, .logBeforeCharge, .logAfterCharge, .deadline, .timerBeforeDeadline,
        .outputMigrated,
        .chargeRenamedWithFormerName, .greetingRetired,
        .screenInMidwayAsChange, .tabRenamedWithFormerName, .appRenamedWithFormerName,
    ]

    @Test(arguments: ShopChange.allCases)
    func `no recorded result runs again, no amount changes under way, and nobody who has paid is thrown back`(
        change: ShopChange
    ) async throws {
        let visits = try await visits()
        let new = registry(change, build: 2)
        for visit in visits {
            let (fate, text) = try await fate(of: visit, in: new)
            if Self.invisible.contains(change), !(change.hidesAccount && visit.sawAccount) {
                #expect(fate == .asItWas, "\(change) \(visit.account)")
            }
            // This app has chosen to go back in any case.
            if visit.hasPaid, change != .outputChangedResuming {
                #expect(fate == .asItWas || fate == .held || text.contains("done"), "\(change) \(visit.account)")
            }
            if visit.hasPaid {
                #expect(Till.shared.charges(of: visit.account).map(\.value) == [[1050]], "\(change) \(visit.account)")
            }
            if visit.isPaying { try await expectPayment(of: visit, fate, in: new, change) }
        }
    }

    /// Expects that a charge under way goes on as it began, and that its result counts.
    private func expectPayment(
        of visit: Visit, _ fate: Fate, in registry: SessionRegistry, _ change: ShopChange
    ) async throws {
        #expect(fate == .asItWas || fate == .held, "\(change) \(visit.account)")
        func charges() -> [[Int]] { Till.shared.charges(of: visit.account).map(\.value) }
        guard fate == .asItWas else { return #expect(charges() == [[1050]], "\(change) \(visit.account)") }
        let session = registry.find(visit.id)
        // The server that has begun it is gone, so it runs again, under its id.
        try await session.settle { _ in charges().first?.count == 2 }
        #expect(charges() == [[1050, 1050]], "\(change) \(visit.account)")
        Till.shared.release(visit.account)
        try await session.settle { $0.contains(#""order":42"#) }
    }

    @Test(arguments: ShopChange.allCases)
    func `until an input comes, the way back restores every session`(change: ShopChange) async throws {
        let visits = try await visits()
        let new = registry(change, build: 2)
        for visit in visits { _ = try await fate(of: visit, in: new) }
        await new.sweep()
        let old = registry(.none, build: 1)
        for visit in visits {
            #expect(try await old.snapshot(of: visit.id).text == visit.before.text, "\(change) \(visit.account)")
        }
    }

    @Test func `a resumption is written with the first input, and its work begins then`() async throws {
        let way = [#"{"event":"buy"}"#, #"{"event":"next"}"#]
        let visit = try await visit(way, account: "guest", in: registry(.none, build: 1))
        let new = registry(.screenInMidway, build: 2)
        let resumed = try await new.snapshot(of: visit.id)
        #expect(resumed.text.contains("goes on from revision 3"))
        #expect(resumed.epoch != visit.before.epoch, "its tag is no earlier build's")
        #expect(try await new.entries(of: visit.id).count == 4)
        try await new.find(visit.id).send(#"{"event":"next"}"#)
        #expect(try await new.entries(of: visit.id).suffix(2).map(\.kind) == [.divergence, .input])
    }

    @Test func `a resumption is written once the release is confirmed, and its timers go on`() async throws {
        let way = [#"{"event":"buy"}"#, #"{"event":"next"}"#]
        let old = registry(.none, build: 1)
        let visit = try await visit(way, account: "guest", in: old)
        // Its timer is no longer the old server's.
        #expect(old.find(visit.id).retire())
        let new = registry(.screenInMidway, build: 2)
        _ = try await new.snapshot(of: visit.id)
        clock.advance(by: 1_800_000)
        await new.sweep()
        #expect(try await new.entries(of: visit.id).count == 4, "a timer that is due waits")
        clock.advance(by: 1_800_000)
        await new.sweep()
        try await new.find(visit.id).settle { $0.contains("hurry") }
        #expect(try await new.entries(of: visit.id).suffix(2).map(\.kind) == [.divergence, .input])
    }

    @Test func `work that a new build begins at an old step starts once, with the first input that is new`()
        async throws
    {
        let id = try await visit([], account: "guest", in: registry(.none, build: 1)).id
        for _ in 0..<2 {
            let new = registry(.effectAtStart, build: 2)
            #expect(try await new.snapshot(of: id).revision == 2)
            #expect(try await new.entries(of: id).count == 2)
        }
        let session = registry(.effectAtStart, build: 2).find(id)
        try await session.send(#"{"event":"help"}"#)
        // The input, and the result of what it began.
        while try await session.snapshot().revision < 4 { await Task.yield() }
        let again = registry(.effectAtStart, build: 2)
        #expect(try await again.snapshot(of: id).text == session.snapshot().text)
        let facts = try await again.entries(of: id).map { String(decoding: $0.facts, as: UTF8.self) }
        #expect(facts[2].contains(#""begun":[{"id":"3.1","name":"log","owner":"shop","value":{"line":"start"}}]"#))
        #expect(facts[2].contains(#""build":"2""#) && facts[3].isEmpty)
    }

    @Test func `it starts also with an input that begins work itself`() async throws {
        let id = try await visit([], account: "guest", in: registry(.none, build: 1)).id
        let session = registry(.effectAtStart, build: 2).find(id)
        try await session.send(#"{"event":"buy"}"#)
        while try await session.snapshot().revision < 4 { await Task.yield() }
        let facts = try await registry(.effectAtStart, build: 2).entries(of: id).map {
            String(decoding: $0.facts, as: UTF8.self)
        }
        #expect(facts[2].contains(#""id":"3.2","name":"log""#), "\(facts[2])")
    }

    @Test func `a refused first input leaves the way back open`() async throws {
        let way = [#"{"event":"buy"}"#, #"{"event":"next"}"#]
        let visit = try await visit(way, account: "guest", in: registry(.none, build: 1))
        let session = registry(.screenInMidway, build: 2).find(visit.id)
        #expect(try await session.error(of: #"{"event":"nonsense"}"#) != nil)
        #expect(try await registry(.none, build: 1).snapshot(of: visit.id).text == visit.before.text)
        // The client's tag holds in this build.
        let resumed = try await session.snapshot()
        let tag = Precondition.revision(oneOf: [resumed.revision], epoch: resumed.epoch)
        #expect(try await session.send(#"{"event":"next"}"#, if: tag).revision == resumed.revision + 1)
    }

    @Test func `an effect whose result was dropped on request does not run again, also after a restart`() async throws {
        let account = "paid \(SessionID(from: SystemRandom()).text)"
        let visit = try await visit(
            [#"{"event":"buy"}"#, #"{"event":"next"}"#, pay(account)], account: account, in: registry(.none, build: 1),
            hasPaid: true)
        for _ in 0..<2 {
            let new = registry(.outputChangedResuming, build: 2)
            #expect(try await new.snapshot(of: visit.id).text.contains("pay"))
            #expect(try await new.confirmRelease().isEmpty)
            try await new.find(visit.id).send(#"{"select":"account"}"#)
            try await new.find(visit.id).send(#"{"select":"goods"}"#)
        }
        #expect(Till.shared.charges(of: account).map(\.value) == [[1050]])
    }

    @Test func `a timer that a new build begins at an old step counts from the first input that is new`() async throws {
        let id = try await visit([], account: "guest", in: registry(.none, build: 1)).id
        clock.advance(by: 60_000)
        let session = registry(.timerAtStart, build: 2).find(id)
        let now = clock.now().milliseconds
        try await session.send(#"{"event":"help"}"#)
        let facts = try await registry(.timerAtStart, build: 2).entries(of: id).last?.facts ?? []
        #expect(
            String(decoding: facts, as: UTF8.self).contains(#""name":"timer","owner":"shop","due":\#(now + 5_000)"#))
    }

    @Test(arguments: [ShopChange.deadline, .timerBeforeDeadline])
    func `a timer that was begun keeps its closure, and the time at which it is due`(change: ShopChange) async throws {
        let id = try await visit([#"{"event":"buy"}"#], account: "guest", in: registry(.none, build: 1)).id
        let session = registry(change, build: 2).find(id)
        _ = try await session.snapshot()
        clock.advance(by: 40_000)
        #expect(try await session.snapshot().text.contains("hurry") == false)
        clock.advance(by: 600_000)
        try await session.settle { $0.contains("hurry") }
    }

    @Test func `an input that names a screen by its id finds it in the new build, and what is written stays so`()
        async throws
    {
        let id = try await visit(
            [#"{"event":"buy"}"#, #"{"event":"next"}"#, #"{"select":"account"}"#, #"{"select":"goods"}"#],
            account: "guest",
            in: registry(.none, build: 1)
        ).id
        let session = registry(.coordinatorSplit, build: 2).find(id)
        let screens = try ids(try await session.snapshot())
        try await session.send(#"{"back":true,"screen":\#(screens[2])}"#)
        try await session.send(#"{"event":"next","screen":\#(screens[1])}"#)
        let text = try await session.snapshot().text
        #expect(try await registry(.coordinatorSplit, build: 2).snapshot(of: id).text == text)
        // The first build follows what the new one wrote.
        #expect(try ids(try await registry(.none, build: 1).snapshot(of: id)) == ids(try await session.snapshot()))
    }

    @Test func `a session on hold is served by the build that can follow it, as it was`() async throws {
        let account = "paid \(SessionID(from: SystemRandom()).text)"
        let visit = try await visit(
            [#"{"event":"buy"}"#, #"{"event":"next"}"#, pay(account)], account: account, in: registry(.none, build: 1),
            hasPaid: true)
        await #expect {
            try await registry(.chargeGone, build: 2).snapshot(of: visit.id)
        } throws: { error in
            guard case SessionError.onHold(.losesFacts(let cause)) = error else { return false }
            return cause.contains("the result of the effect \"charge\" (5.1)")
        }
        #expect(try await registry(.none, build: 1).snapshot(of: visit.id).text == visit.before.text)
    }

    /// Sessions at all places of the shop, four of which have paid, and two of which are paying.
    private func visits() async throws -> [Visit] {
        let old = registry(.none, build: 1)
        var visits: [Visit] = []
        let places: [[String]] = [
            [], [#"{"event":"help"}"#], [#"{"event":"help"}"#, #"{"event":"close"}"#], [#"{"select":"account"}"#],
            [#"{"select":"account"}"#, #"{"select":"goods"}"#], [#"{"event":"buy"}"#],
            [#"{"event":"buy"}"#, #"{"back":true}"#], [#"{"event":"buy"}"#, #"{"event":"next"}"#],
            [#"{"event":"buy"}"#, #"{"event":"next"}"#, #"{"back":true}"#],
            [#"{"event":"buy"}"#, #"{"select":"account"}"#],
        ]
        for (number, place) in (places + places).enumerated() {
            visits.append(try await visit(place, account: "guest \(number)", in: old))
        }
        let way = [#"{"event":"buy"}"#, #"{"event":"next"}"#]
        for (number, after) in [[], [], [#"{"event":"home"}"#], [#"{"select":"account"}"#]].enumerated() {
            let account = "paid \(SessionID(from: SystemRandom()).text) \(number)"
            visits.append(try await visit(way + [pay(account)] + after, account: account, in: old, hasPaid: true))
        }
        for number in 0..<2 {
            let account = "slow \(SessionID(from: SystemRandom()).text) \(number)"
            visits.append(try await visit(way + [pay(account)], account: account, in: old, isPaying: true))
        }
        return visits
    }

    private func pay(_ account: String) -> String { #"{"event":{"pay":{"account":"\#(account)"}}}"# }

    private func visit(
        _ inputs: [String], account: String, in registry: SessionRegistry, hasPaid: Bool = false, isPaying: Bool = false
    ) async throws -> Visit {
        let session = try await registry.open("shop").session
        try await session.settle { $0.contains("hello") }
        for input in inputs {
            try await session.send(input)
            if input.contains("pay"), hasPaid { try await session.settle { $0.contains("done") } }
        }
        if isPaying { try await session.settle { _ in !Till.shared.charges(of: account).isEmpty } }
        return Visit(
            id: session.id, account: account, hasPaid: hasPaid, isPaying: isPaying,
            sawAccount: inputs.contains { $0.contains(#"account"}"#) }, before: try await session.snapshot())
    }

    /// Looks at a session in the new build.
    private func fate(of visit: Visit, in registry: SessionRegistry) async throws -> (Fate, String) {
        do {
            let after = try await registry.snapshot(of: visit.id)
            if after.revision == visit.before.revision {
                #expect(try ids(after) == ids(visit.before), "\(visit.account): \(after.text)")
                return (.asItWas, after.text)
            }
            return (after.text.contains("begins anew") ? .beganAnew : .resumed, after.text)
        } catch SessionError.onHold {
            return (.held, "")
        }
    }

    /// The ids of the screens on display, bottom to top.
    private func ids(_ snapshot: Snapshot) throws -> [Int] {
        let stack = try JSONDocument(parsing: snapshot.state).root[member: "stack"]
        return stack?.elements.map { $0[member: "id"]?.integer ?? 0 } ?? []
    }

    private func registry(_ change: ShopChange, build: UInt64) -> SessionRegistry {
        SessionRegistry(
            apps: [change.app], journal: journal, clock: clock, crashes: CrashSettings(build: { build }))
    }
}

extension Session {
    /// Waits until the session's state satisfies a condition.
    fileprivate func settle(_ isSettled: (String) -> Bool) async throws {
        while !isSettled(try await snapshot().text) { await Task.yield() }
    }
}

extension ShopChange {
    /// A Boolean value indicating whether its build has no tab "account".
    fileprivate var hidesAccount: Bool { self == .hiddenTabRemoved || self == .hiddenTabRenamed }
}

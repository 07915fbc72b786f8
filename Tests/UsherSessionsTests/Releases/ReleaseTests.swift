import Programs
import Testing
import Usher
import UsherJournal

@testable import UsherSessions

@Suite("A release of an app with users", .timeLimit(.minutes(5)))
struct ReleaseTests {
    /// The changes that nobody sees: every session stays as it was.
    private static let invisible: [ShopChange] = [
        .none, .stateGrows, .listOrder, .effectAtStart, .timerAtStart, .hiddenChildAtStart, .classRenamed,
        .coordinatorSplit, .modalStyle, .tabAdded, .hiddenTabRemoved, .hiddenTabRenamed, .eventRenamedDecodingBoth,
        .screenRenamedWithFormerName, .price, .logBeforeCharge, .logAfterCharge, .deadline, .timerBeforeDeadline,
        .outputMigrated,
        .chargeRenamedWithFormerName, .greetingRetired,
        .screenInMidwayAsChange, .tabRenamedWithFormerName, .appRenamedWithFormerName,
    ]

    /// Each change on each journal in a long run; else each change in memory, and half of them on each other journal.
    private static let cases = JournalKind.available.enumerated().flatMap { number, kind in
        ShopChange.allCases.enumerated().compactMap { place, change in
            LongRun.isOn || kind == .memory || place % 2 == number % 2 ? (kind, change) : nil
        }
    }

    @Test(arguments: cases)
    func `after a release, no recorded effect runs again, and no paid order changes or returns to an earlier step`(
        on kind: JournalKind, change: ShopChange
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let visits = try await ShopVisit.all(in: servers.start(.none, build: 1))
            let new = try await servers.start(change, build: 2)
            for visit in visits {
                let (fate, text) = try await visit.fate(in: new)
                if Self.invisible.contains(change), !(change.hidesAccount && visit.sawAccount) {
                    #expect(fate == .asItWas, "\(change) \(visit.account)")
                }
                // The app of the change outputChangedResuming allows paid orders to go back.
                if visit.hasPaid, change != .outputChangedResuming {
                    #expect(
                        fate == .asItWas || fate == .held || text.contains("done"), "\(change) \(visit.account)")
                }
                if visit.hasPaid {
                    #expect(
                        Till.shared.charges(of: visit.account).map(\.value) == [[1050]], "\(change) \(visit.account)")
                }
                if visit.isPaying { try await expectPayment(of: visit, fate, in: new, change) }
            }
        }
    }

    /// Expects that a charge under way goes on as it began, and that its result counts.
    private func expectPayment(
        of visit: ShopVisit, _ fate: Fate, in registry: SessionRegistry, _ change: ShopChange
    ) async throws {
        #expect(fate == .asItWas || fate == .held, "\(change) \(visit.account)")
        func charges() -> [[Int]] { Till.shared.charges(of: visit.account).map(\.value) }
        guard fate == .asItWas else { return #expect(charges() == [[1050]], "\(change) \(visit.account)") }
        let session = registry.find(visit.id)
        // The server that began the charge is gone, so the charge runs again with the same id.
        while charges().first?.count != 2 {
            _ = try await session.snapshot()
            await registry.meetPeers()
            await Task.yield()
        }
        #expect(charges() == [[1050, 1050]], "\(change) \(visit.account)")
        Till.shared.release(visit.account)
        try await session.settle { $0.contains(#""order":42"#) }
    }

    @Test(arguments: cases)
    func `the former build restores each session unchanged until the new build handles an input of the session`(
        on kind: JournalKind, change: ShopChange
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let visits = try await ShopVisit.all(in: servers.start(.none, build: 1))
            let new = try await servers.start(change, build: 2)
            for visit in visits { _ = try await visit.fate(in: new) }
            await new.sweep()
            let old = try await servers.start(.none, build: 1)
            for visit in visits {
                #expect(try await old.snapshot(of: visit.id).text == visit.before.text, "\(change) \(visit.account)")
            }
        }
    }

    @Test(arguments: JournalKind.available)
    func `a resumption is written to the journal together with the session's first input`(on kind: JournalKind)
        async throws
    {
        try await ShopServers.use(kind) { servers in
            let visit = try await ShopVisit(Self.wayToPayment, in: servers.start(.none, build: 1))
            let new = try await servers.start(.screenInMidway, build: 2)
            let resumed = try await new.snapshot(of: visit.id)
            #expect(resumed.text.contains(#""resumed":{"revision":3,"#))
            #expect(resumed.epoch != visit.before.epoch, "the entity tag differs from the former build's")
            #expect(try await new.entries(of: visit.id).count == 4)
            try await new.find(visit.id).send(#"{"event":"next"}"#)
            #expect(try await new.entries(of: visit.id).suffix(2).map(\.kind) == [.divergence, .input])
        }
    }

    @Test(arguments: JournalKind.available)
    func `the answer to a report is not stored before the resumption is written, so the former build handles it`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let visit = try await ShopVisit(Self.wayToPayment, in: servers.start(.none, build: 1))
            let screen = try #require(try visit.before.displayedIDs.last)
            let popped = InputRequest(
                try action(#"{"popped":\#(screen)}"#), key: IdempotencyKey("swipe", fingerprint: 1))
            // In the new build, the session resumed at a revision without the screen, so the report changes nothing.
            let new = try await servers.start(.screenInMidway, build: 2)
            let known = try await new.handle(popped, on: visit.id)
            #expect(known.text == (try await new.snapshot(of: visit.id).text))
            let old = try await servers.start(.none, build: 1)
            let state = try await old.handle(popped, on: visit.id)
            #expect(!state.isReplayed && state.revision == visit.before.revision + 1, "\(state.text)")
        }
    }

    @Test(arguments: JournalKind.ofOneServer)
    func `a session's resumption is written an hour after the release, and then its due timer fires`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let old = try await servers.start(.none, build: 1)
            let visit = try await ShopVisit(Self.wayToPayment, in: old)
            // The old server must no longer run the session's timer.
            #expect(old.find(visit.id).retire())
            let new = try await servers.start(.screenInMidway, build: 2)
            _ = try await new.snapshot(of: visit.id)
            servers.clock.advance(by: 1_800_000)
            await new.sweep()
            #expect(
                try await new.entries(of: visit.id).count == 4, "the due timer waits until the resumption is written")
            servers.clock.advance(by: 1_800_000)
            await new.sweep()
            try await new.find(visit.id).settle { $0.contains("hurry") }
            #expect(try await new.entries(of: visit.id).suffix(2).map(\.kind) == [.divergence, .input])
        }
    }

    @Test(arguments: JournalKind.ofOneServer)
    func `a release is not confirmed if the clock is set ahead by two hours`(on kind: JournalKind) async throws {
        try await ShopServers.use(kind) { servers in
            let old = try await servers.start(.none, build: 1)
            let visit = try await ShopVisit(Self.wayToPayment, in: old)
            #expect(old.find(visit.id).retire())
            let new = try await servers.start(.screenInMidway, build: 2)
            _ = try await new.snapshot(of: visit.id)
            await new.sweep()
            servers.clock.jump(by: 7_200_000)
            await new.sweep()
            #expect(try await new.entries(of: visit.id).count == 4)
            servers.clock.advance(by: 3_600_000)
            await new.sweep()
            #expect(try await new.entries(of: visit.id).count > 4)
        }
    }

    @Test(arguments: JournalKind.available)
    func `an effect that a new build adds to an earlier step starts once, with the session's next input`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let id = try await ShopVisit(in: servers.start(.none, build: 1)).id
            for _ in 0..<2 {
                let new = try await servers.start(.effectAtStart, build: 2)
                #expect(try await new.snapshot(of: id).revision == 2)
                #expect(try await new.entries(of: id).count == 2)
            }
            let session = try await servers.start(.effectAtStart, build: 2).find(id)
            try await session.send(#"{"event":"help"}"#)
            // The input adds a revision, and the result of the effect that it begins adds another.
            while try await session.snapshot().revision < 4 { await Task.yield() }
            let text = try await session.snapshot().text
            let again = try await servers.start(.effectAtStart, build: 2)
            #expect(try await again.snapshot(of: id).text == text)
            let facts = try await again.entries(of: id).map { String(decoding: $0.facts, as: UTF8.self) }
            #expect(
                facts[2].contains(#""begun":[{"id":"3.1","name":"log","owner":"shop","value":{"line":"start"}}]"#))
            #expect(facts[2].contains(#""build":"2""#) && facts[3].isEmpty)
        }
    }

    @Test(arguments: JournalKind.available)
    func `an effect that a new build adds to an earlier step also starts if the first input begins another`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let id = try await ShopVisit(in: servers.start(.none, build: 1)).id
            let new = try await servers.start(.effectAtStart, build: 2)
            try await new.find(id).send(#"{"event":"buy"}"#)
            while try await new.snapshot(of: id).revision < 4 { await Task.yield() }
            let facts = try await new.entries(of: id).map { String(decoding: $0.facts, as: UTF8.self) }
            #expect(facts[2].contains(#""id":"3.2","name":"log""#), "\(facts[2])")
        }
    }

    @Test(arguments: JournalKind.available)
    func `if the new build refuses a session's first input, the former build still restores the session unchanged`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let visit = try await ShopVisit(Self.wayToPayment, in: servers.start(.none, build: 1))
            let session = try await servers.start(.screenInMidway, build: 2).find(visit.id)
            #expect(try await session.error(of: #"{"event":"nonsense"}"#) != nil)
            let resumed = try await session.snapshot()
            #expect(
                try await servers.start(.none, build: 1).snapshot(of: visit.id).text == visit.before.text)
            // The client's entity tag is still valid in the new build.
            let again = try await servers.start(.screenInMidway, build: 2).find(visit.id)
            let tag = Precondition.revision(oneOf: [resumed.revision], epoch: resumed.epoch)
            #expect(try await again.send(#"{"event":"next"}"#, if: tag).revision == resumed.revision + 1)
        }
    }

    @Test(arguments: JournalKind.available)
    func `an effect does not run again if the app allows its result to be dropped, even after a restart`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let visit = try await ShopVisit.paid(in: servers.start(.none, build: 1))
            for _ in 0..<2 {
                let new = try await servers.start(.outputChangedResuming, build: 2)
                #expect(try await new.snapshot(of: visit.id).text.contains("pay"))
                #expect(try await new.confirmRelease().isEmpty)
                await new.meetPeers()
                try await new.find(visit.id).send(#"{"select":"account"}"#)
                try await new.find(visit.id).send(#"{"select":"goods"}"#)
            }
            #expect(Till.shared.charges(of: visit.account).map(\.value) == [[1050]])
        }
    }

    @Test(arguments: JournalKind.ofOneServer)
    func `a timer that a new build adds to an earlier step counts from the session's next input`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let id = try await ShopVisit(in: servers.start(.none, build: 1)).id
            servers.clock.advance(by: 60_000)
            let new = try await servers.start(.timerAtStart, build: 2)
            let now = servers.clock.now().milliseconds
            try await new.find(id).send(#"{"event":"help"}"#)
            let facts = try await new.entries(of: id).last?.facts ?? []
            #expect(
                String(decoding: facts, as: UTF8.self).contains(
                    #""name":"timer","owner":"shop","due":\#(now + 5_000)"#))
        }
    }

    @Test(arguments: JournalKind.ofOneServer, [ShopChange.deadline, .timerBeforeDeadline])
    func `in the new build, a timer that the former build started keeps its closure and its due time`(
        on kind: JournalKind, change: ShopChange
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let id = try await ShopVisit([#"{"event":"buy"}"#], in: servers.start(.none, build: 1)).id
            let session = try await servers.start(change, build: 2).find(id)
            _ = try await session.snapshot()
            servers.clock.advance(by: 40_000)
            #expect(try await session.snapshot().text.contains("hurry") == false)
            servers.clock.advance(by: 600_000)
            try await session.settle { $0.contains("hurry") }
        }
    }

    @Test(arguments: JournalKind.available)
    func `an input that names a screen by id finds the screen in the new build`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let way = Self.wayToPayment + [#"{"select":"account"}"#, #"{"select":"goods"}"#]
            let id = try await ShopVisit(way, in: servers.start(.none, build: 1)).id
            let session = try await servers.start(.coordinatorSplit, build: 2).find(id)
            let screens = try await session.snapshot().displayedIDs
            try await session.send(#"{"back":true,"screen":\#(screens[2])}"#)
            try await session.send(#"{"event":"next","screen":\#(screens[1])}"#)
            let after = try await session.snapshot()
            #expect(
                try await servers.start(.coordinatorSplit, build: 2).snapshot(of: id).text == after.text)
            // The first build can replay the inputs that the new build recorded.
            let first = try await servers.start(.none, build: 1)
            #expect(try await first.snapshot(of: id).displayedIDs == after.displayedIDs)
        }
    }

    @Test(arguments: JournalKind.available)
    func `the former build serves a session unchanged if the new build holds it`(on kind: JournalKind) async throws {
        try await ShopServers.use(kind) { servers in
            let visit = try await ShopVisit.paid(in: servers.start(.none, build: 1))
            let new = try await servers.start(.chargeGone, build: 2)
            await #expect {
                try await new.snapshot(of: visit.id)
            } throws: { error in
                guard case SessionError.onHold(.losesFacts(let cause)) = error else { return false }
                return cause.contains("the result of the effect \"charge\" (5.1)")
            }
            #expect(
                try await servers.start(.none, build: 1).snapshot(of: visit.id).text == visit.before.text)
        }
    }

    @Test(arguments: JournalKind.available)
    func `a build holds a session, even after a restart, until another build handles an input of the session`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let visit = try await ShopVisit.paid(in: servers.start(.none, build: 1))
            let new = try await servers.start(.chargeGone, build: 2)
            #expect(try await visit.fate(in: new).0 == .held)
            // This build could replay the session, but the stored hold still applies.
            let again = try await servers.start(.none, build: 2)
            #expect(try await visit.fate(in: again).0 == .held)
            let list = SessionList(of: again)
            #expect(try await list.heldSessions(matching: SessionQuery(limit: 9)).sessions.map(\.id) == [visit.id])
            let old = try await servers.start(.none, build: 1)
            #expect(try await visit.fate(in: old).0 == .asItWas)
            // A read by the old build does not end the hold.
            #expect(try await visit.fate(in: servers.start(.none, build: 2)).0 == .held)
            try await servers.start(.none, build: 1).find(visit.id).send(#"{"event":"home"}"#)
            let last = try await servers.start(.none, build: 2)
            #expect(try await last.snapshot(of: visit.id).revision == visit.before.revision + 1)
        }
    }

    @Test(arguments: JournalKind.available)
    func `after a release is confirmed, an app can end the sessions that the new build cannot restore`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let visit = try await ShopVisit.paid(in: servers.start(.none, build: 1))
            #expect(try await visit.fate(in: servers.start(.outputChangedEnding, build: 2)).0 == .held)
            #expect(try await visit.fate(in: servers.start(.none, build: 1)).0 == .asItWas)
            let events = Observations()
            let new = try await servers.start(.outputChangedEnding, build: 2, observe: events.add)
            #expect(try await visit.fate(in: new).0 == .held)
            #expect(try await new.confirmRelease().isEmpty)
            for _ in 0..<2 {
                await #expect {
                    try await new.snapshot(of: visit.id)
                } throws: { error in
                    if case SessionError.ended(let tombstone) = error { tombstone.reason == .deleted } else { false }
                }
            }
            let ends = events.all.count { if case .endedByDivergence(visit.id, _) = $0 { true } else { false } }
            #expect(ends == 1)
            #expect(new.settings.metrics.app("shop").number(of: LifeStep.deleted) == 1)
            #expect(try await new.settings.journal.holds(for: 2, in: JournalKey.all, limit: 9).isEmpty)
            let old = try await servers.start(.none, build: 1)
            await #expect(throws: SessionError.self) { try await old.snapshot(of: visit.id) }
        }
    }

    @Test(arguments: JournalKind.available)
    func `a session is held if the new build cannot identify the timer that a recorded timer stands for`(
        on kind: JournalKind
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let first = try await servers.start(.timerBeforeDeadline, build: 1)
            let visit = try await ShopVisit([#"{"event":"buy"}"#], in: first)
            let new = try await servers.start(.deadline, build: 2)
            await #expect {
                try await new.snapshot(of: visit.id)
            } throws: { error in
                guard case SessionError.onHold(.losesFacts(let cause)) = error else { return false }
                return cause.contains("the timer 3.1")
            }
            let again = try await servers.start(.timerBeforeDeadline, build: 1)
            #expect(try await again.snapshot(of: visit.id).text == visit.before.text)
        }
    }

    @Test(arguments: JournalKind.ofOneServer)
    func `a session of another build is replayed before it expires, and is kept for 30 days if it is held`(
        on kind: JournalKind
    ) async throws {
        func end(of visit: ShopVisit, in registry: SessionRegistry) async throws -> String? {
            try await registry.settings.journal.head(of: visit.id.key)?.header.ending?.reason
        }
        try await ShopServers.use(kind) { servers in
            let old = try await servers.start(.none, build: 1)
            let (paid, guest) = (try await ShopVisit.paid(in: old), try await ShopVisit(in: old))
            // The sweep notes in the journal that this build serves.
            await old.sweep()
            let new = try await servers.start(.chargeGone, build: 2)
            servers.clock.advance(by: 25 * 3_600_000)
            await new.sweep()
            #expect(try await end(of: guest, in: new) == "expired")
            #expect(try await end(of: paid, in: new) == nil)
            let list = SessionList(of: new)
            #expect(try await list.heldSessions(matching: SessionQuery(limit: 9)).sessions.map(\.id) == [paid.id])
            // The hold survives a restart.
            let again = try await servers.start(.chargeGone, build: 2)
            servers.clock.advance(by: 28 * 24 * 3_600_000)
            await again.sweep()
            #expect(try await end(of: paid, in: again) == nil)
            servers.clock.advance(by: 24 * 3_600_000)
            await again.sweep()
            #expect(try await end(of: paid, in: again) == "expired")
        }
    }

    @Test(arguments: JournalKind.ofOneServer)
    func `a session that the new build would resume at an earlier revision expires at the usual time`(
        on kind: JournalKind
    )
        async throws
    {
        try await ShopServers.use(kind) { servers in
            let visit = try await ShopVisit([#"{"select":"account"}"#], in: servers.start(.none, build: 1))
            let new = try await servers.start(.hiddenTabRemoved, build: 2)
            servers.clock.advance(by: 25 * 3_600_000)
            await new.sweep()
            #expect(try await new.settings.journal.head(of: visit.id.key)?.header.ending?.reason == "expired")
        }
    }

    @Test(arguments: JournalKind.ofOneServer)
    func `a session expires even if it has a due timer that only the former build knows`(on kind: JournalKind)
        async throws
    {
        try await ShopServers.use(kind) { servers in
            let id = try await ShopVisit(in: servers.start(.timerAtStart, build: 1)).id
            servers.clock.advance(by: 60_000)
            let new = try await servers.start(.none, build: 2)
            // The first sweep wakes the session for its timer, and the second sweep ends the unused session.
            await new.sweep()
            servers.clock.advance(by: 25 * 3_600_000)
            await new.sweep()
            #expect(new.sessionCount == 0)
            await #expect(throws: SessionError.self) { try await new.snapshot(of: id) }
        }
    }

    private static let wayToPayment = [#"{"event":"buy"}"#, #"{"event":"next"}"#]
}

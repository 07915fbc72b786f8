import JournalSubject
import Synchronization
import Testing
import Usher
import UsherJournal

@testable import UsherSessions

/// Effects, timers and waiting, and how long their session, their client and their process last.
extension EffectTests {
    @Test func `a session with a running effect does not expire`() async throws {
        var bounds = SessionRegistry.Configuration()
        // With a shorter limit, the effect would be cancelled before the session could expire.
        bounds.effectTime = .seconds(30 * 24 * 60 * 60)
        let registry = SessionRegistry(
            apps: [ErrandApp.self], configuration: bounds, journal: journal, clock: clock, observe: events.add)
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await registry.handle(InputRequest(try action(#"{"event":{"run":{"_0":"tea"}}}"#)), on: id)
        await until { courier.waiting == ["tea"] }
        for _ in 0..<3 {
            clock.advance(by: 23 * 60 * 60 * 1_000)
            await registry.sweep()
        }
        #expect(registry.sessionCount == 1)
        courier.release("there")
        await until { (try? await registry.snapshot(of: id))?.revision == 3 }
    }

    @Test func `an answer that waits for effects returns at once if its session is deleted`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let waiting = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        await until { clock.isAwaited(at: 5_000) }
        _ = try await registry.end(id)
        let error = await #expect(throws: SessionError.self) { try await waiting.value }
        guard case .ended? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [true, false])
    func `an answer stops waiting when its client disconnects or the server stops`(isCancelled: Bool) async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let waiting = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        await until { clock.isAwaited(at: 5_000) }
        if isCancelled { waiting.cancel() } else { registry.endWaits() }
        #expect(try await waiting.value.text.contains(#""pending":["errand"]"#))
        courier.release("there")
        await until { await revision(id) == 3 }
        guard !isCancelled else { return }
        courier.hold()
        #expect(try await send(#"{"run":{"_0":"milk"}}"#, id, wait: .seconds(5)).text.contains("pending\":[\"errand"))
        courier.release()
    }

    @Test func `running effects still finish if their session has reached its limit of inputs`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.inputLimit = 3
        let registry = SessionRegistry(
            apps: [ErrandApp.self], configuration: bounds, journal: journal, clock: clock, observe: events.add)
        courier.hold()
        let id = try await registry.open("errand").session.id
        for goods in ["tea", "milk"] {
            let event = try action(#"{"event":{"run":{"_0":"\#(goods)"}}}"#)
            _ = try await registry.handle(InputRequest(event), on: id)
        }
        await until { courier.waiting.count == 2 }
        courier.release()
        await until { (try? await registry.snapshot(of: id))?.text.contains(#""pending":[]"#) ?? false }
        let state = try await registry.snapshot(of: id)
        #expect(state.revision == 5)
        #expect(state.text.contains(#""log":[]"#))
        clock.advance(by: 300_000)
        // The delivery of the last result may still be in progress.
        await until {
            await registry.sweep()
            return registry.awakeCount == 0
        }
    }

    @Test func `a timer fires by the session's clock, even if the session hibernates meanwhile`() async throws {
        let id = try await registry.open("errand").session.id
        let answer = try await send(#"{"wait":{"_0":600000}}"#, id, wait: .seconds(5))
        #expect(answer.text.contains(#""pending":["timer"]"#))
        clock.advance(by: 400_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        clock.advance(by: 150_000)
        await registry.sweep()
        #expect(registry.awakeCount == 1)
        await until { clock.isAwaited(at: 600_000) }
        clock.advance(by: 50_000)
        await until { await revision(id) == 3 }
        #expect(try await registry.snapshot(of: id).text.contains("waited 600000"))
        try await expectReplay(id)
    }

    @Test func `a timer fires even if many sessions with earlier timers cannot be woken`() async throws {
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"wait":{"_0":600000}}"#, id)
        clock.advance(by: 400_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        for number in UInt64(1)...10_000 {
            var author = Author(number, app: "of another build")
            author.rest(until: 0)
            _ = journal.memory.submit(author.create())
        }
        clock.advance(by: 150_000)
        await registry.sweep()
        await until { clock.isAwaited(at: 600_000) }
        clock.advance(by: 50_000)
        await until { journal.memory.head(of: id.key)?.header.revision == 3 }
    }

    @Test func `a refused request to a hibernating session does not prevent its timer`() async throws {
        let registry = SessionRegistry(
            apps: [ErrandApp.self], journal: journal, clock: clock, tokens: TokenIssuer(key: [1]))
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"wait":{"_0":600000}}"#, id, in: registry)
        clock.advance(by: 400_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        clock.advance(by: 150_000)
        let stranger = SessionClaim.shown(nil, isReading: true)
        _ = await #expect(throws: SessionError.self) { try await registry.snapshot(of: id, for: stranger) }
        try await registry.wakeDue()
        await until { clock.isAwaited(at: 600_000) }
    }

    @Test func `if the journal cannot be read when a timer is due, the timer fires with the next sweep`() async throws {
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"wait":{"_0":600000}}"#, id)
        clock.advance(by: 400_000)
        await registry.sweep()
        clock.advance(by: 150_000)
        journal.failsRecords.store(true, ordering: .relaxed)
        await registry.sweep()
        journal.failsRecords.store(false, ordering: .relaxed)
        await registry.sweep()
        await until { clock.isAwaited(at: 600_000) }
    }

    @Test(arguments: [CopyKind.fork, .export])
    func `effects in a copy of a session never begin, and fail when the copy is woken after a crash`(
        kind: CopyKind
    ) async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id)
        _ = try await send(#"{"wait":{"_0":600000}}"#, id)
        await until { courier.waiting == ["tea"] }
        let archive = try await registry.archive(id, through: nil, by: "test")
        journal.hold()
        let copy = Task {
            if kind == .fork { try await registry.fork(id, at: 3) } else { try await registry.open(archive) }
        }
        await until { journal.waiting == 1 }
        // The creation is in the journal, but the process dies before the journal has confirmed it.
        let key = try #require(journal.writeWaiting())
        let next = SessionRegistry(apps: [ErrandApp.self], journal: journal.memory, clock: clock)
        await next.sweep()
        await until { (try? await next.snapshot(of: SessionID(key)))?.revision == 4 }
        let text = try await next.snapshot(of: SessionID(key)).text
        #expect(text.contains("forked") && text.contains(#""pending":["timer"]"#), "\(text)")
        // Wait until the effect has begun, because a later start would use another test's courier.
        await until { courier.ids.count == 2 }
        #expect(Set(courier.ids).count == 1, "only the original session's effect has run")
        journal.isBroken.store(true, ordering: .relaxed)
        journal.release()
        await #expect(throws: SessionError.self) { try await copy.value }
        courier.release()
    }

    enum CopyKind { case fork, export }

    @Test func `a session with a running effect stays in memory`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.idleTime = .seconds(30)
        let registry = SessionRegistry(
            apps: [ErrandApp.self], configuration: bounds, journal: journal, clock: clock)
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id, in: registry)
        await until { courier.waiting == ["tea"] }
        clock.advance(by: 30_000)
        await registry.sweep()
        #expect(registry.awakeCount == 1)
        courier.release()
    }

    @Test func `an effect that never returns is cancelled after its time limit`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id)
        await until { courier.waiting == ["tea"] && clock.isAwaited(at: 60_000) }
        clock.advance(by: 60_000)
        await until { await revision(id) == 3 }
        #expect(try await registry.snapshot(of: id).text.contains("timeout: the work took too long"))
        courier.release()
    }

    @Test func `a retry waits for the first request's answer and gets the same answer`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let first = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "a", wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        let twin = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "a", wait: .seconds(5)) }
        for _ in 0..<1_000 { await Task.yield() }
        courier.release("tea")
        let answer = try await first.value
        #expect(answer.text.contains(#""log":["tea"]"#))
        #expect(try await twin.value.text == answer.text)
        #expect(try await send(#"{"run":{"_0":"tea"}}"#, id, key: "a").text == answer.text)
        let next = SessionRegistry(apps: [ErrandApp.self], journal: journal, clock: clock)
        #expect(try await send(#"{"run":{"_0":"tea"}}"#, id, key: "a", in: next).text == answer.text)
        #expect(courier.ids.count == 1)
    }

    @Test func `the pending effects of a fork fail, because the effects belong to the original session`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id)
        await until { courier.waiting == ["tea"] }
        let snapshot = try await registry.fork(id, at: 2).snapshot
        #expect(snapshot.text.contains("forked"), "\(snapshot.text)")
        #expect(courier.ids.count == 1)
        courier.release()
    }

    @Test func `effects that a fork begins after its pending effects have failed belong to the fork and run`()
        async throws
    {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#""chain""#, id)
        await until { courier.waiting == ["first"] }
        let snapshot = try await registry.fork(id, at: 2).snapshot
        #expect(!snapshot.text.contains("forked"), "\(snapshot.text)")
        await until { courier.waiting == ["first", "second"] }
        courier.release()
    }

    @Test func `the pending effects of a fork fail even if the client that requested the fork disconnects`()
        async throws
    {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id)
        await until { courier.waiting == ["tea"] }
        let fork = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await registry.fork(id, at: 2).snapshot
        }
        fork.cancel()
        #expect(try await fork.value.text.contains("forked"))
        #expect(courier.ids.count == 1)
        courier.release()
    }

    @Test func `a long poll gets the next revision, or the current revision when the waiting time is over`()
        async throws
    {
        let id = try await registry.open("errand").session.id
        let first = try await registry.snapshot(of: id)
        let poll = Task { try await registry.snapshot(of: id, beyond: first, within: .seconds(20)) }
        await until { registry.watcherCount == 1 && clock.isAwaited(at: 20_000) }
        _ = try await send(#""look""#, id)
        let next = try await poll.value
        #expect(next.revision == 2)
        let late = Task { try await registry.snapshot(of: id, beyond: next, within: .seconds(30)) }
        await until { clock.isAwaited(at: 30_000) }
        clock.advance(by: 30_000)
        #expect(try await late.value.revision == 2)
        #expect(registry.watcherCount == 0)
        #expect(try await registry.snapshot(of: id, beyond: first, within: .seconds(30)).revision == 2)
    }
}

import Notes
import Testing
import Usher
import UsherJournal

@testable import UsherSessions

@Suite("Competing servers", .timeLimit(.minutes(5)))
struct ContentionTests {
    let group = ServerGroup()

    @Test func `an event is handled again on the new state if another server wrote first`() async throws {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        group.journals[1].hold()
        let event = Task { try await group.add("milk", to: id, on: 1) }
        await group.until { group.journals[1].waiting > 0 }
        try await group.add("tea", to: id, on: 0)
        group.journals[1].release()
        let answer = try await event.value
        #expect(answer.revision == 3)
        #expect(answer.text.contains("tea") && answer.text.contains("milk"))
        try await group.expectAgreement(on: id)
    }

    @Test func `if another server wrote first, an event that is handled again uses no additional ids`() async throws {
        let group = ServerGroup(2, apps: [NotesApp.self])
        let showDetail = #"{"showDetail":{"id":1}}"#
        let id = try await group.open("notes")
        _ = try await group.state(of: id, on: 1)
        group.journals[1].hold()
        let events = (0..<2).map { _ in Task { try await group.send(showDetail, to: id, on: 1) } }
        await group.until { group.journals[1].waiting > 1 }
        try await group.send(showDetail, to: id, on: 0)
        group.journals[1].release()
        for event in events { _ = try await event.value }
        let state = try await group.state(of: id, on: 0).text
        #expect((2...4).allSatisfy { state.contains(#"{"id":\#($0),"screen":"detail""#) }, "\(state)")
        try await group.expectAgreement(on: id)
    }

    @Test func `if another server wrote first, an event's precondition and screen are checked again`()
        async throws
    {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        group.journals[1].hold()
        let event = Task { try await group.add("milk", to: id, on: 1, if: 1) }
        await group.until { group.journals[1].waiting > 0 }
        try await group.add("tea", to: id, on: 0)
        group.journals[1].release()
        guard case .preconditionFailed(let current)? = try await group.error({ try await event.value }) else {
            Issue.record("it counted")
            return
        }
        #expect(current.revision == 2)
        try await group.expectAgreement(on: id)
    }

    @Test func `requests with the same key on two servers are handled once and get the same answer`() async throws {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        group.journals[1].hold()
        let twin = Task { try await group.add("tea", to: id, on: 1, key: "a") }
        await group.until { group.journals[1].waiting > 0 }
        let first = try await group.add("tea", to: id, on: 0, key: "a")
        group.journals[1].release()
        let answer = try await twin.value
        #expect(answer.state == first.state)
        #expect(answer.isReplayed)
        #expect(try await group.state(of: id, on: 1).revision == 2)
        try await group.expectAgreement(on: id)
    }

    @Test func `if many clients use three servers, each event is handled once`() async throws {
        let group = ServerGroup(3)
        let id = try await group.open()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for server in 0..<3 {
                tasks.addTask {
                    for number in 0..<20 {
                        // An event that loses too often fails, and is sent again.
                        while true {
                            do {
                                try await group.add("\(server)-\(number);", to: id, on: server)
                                break
                            } catch SessionError.notRecorded {
                                continue
                            }
                        }
                    }
                }
            }
            try await tasks.waitForAll()
        }
        let state = try await group.state(of: id, on: 0)
        #expect(state.revision == 61)
        for server in 0..<3 {
            for number in 0..<20 {
                #expect(
                    state.text.split(separator: "\(server)-\(number);", omittingEmptySubsequences: false).count == 2)
            }
        }
        try await group.expectAgreement(on: id)
    }

    @Test func `an event fails and has no effect if other servers write first again and again`() async throws {
        let id = try await group.open()
        let journal = group.journals[1]
        journal.hold()
        let event = Task { try await group.add("milk", to: id, on: 1) }
        for number in 0..<9 {
            await group.until { journal.waiting > 0 }
            try await group.add("\(number)", to: id, on: 0)
            journal.release(holdingNext: number < 8)
        }
        guard case .notRecorded(let cause)? = try await group.error({ try await event.value }) else {
            Issue.record("it counted")
            return
        }
        #expect(cause.contains("8 times"))
        let state = try await group.state(of: id, on: 0)
        #expect(state.revision == 10 && !state.text.contains("milk"))
    }

    @Test func `if the journal's response is lost, the outcome is unknown, and a retry on any server gets the answer`()
        async throws
    {
        for cut in [SharedJournal.Cut.before, .after] {
            let id = try await group.open()
            group.journals[0].cut(cut)
            let error = try await group.error { try await group.add("tea", to: id, on: 0, key: "a") }
            guard case .outcomeUnknown? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let again = try await group.add("tea", to: id, on: 1, key: "a")
            #expect(again.revision == 2)
            #expect(again.isReplayed == (cut == .after))
            #expect(try await group.add("tea", to: id, on: 0, key: "a").state == again.state)
            try await group.expectAgreement(on: id)
        }
    }

    @Test func `if the response to an opening is lost, a retry with the same key finds the session on any server`()
        async throws
    {
        for (number, cut) in [SharedJournal.Cut.before, .after].enumerated() {
            group.journals[0].cut(cut)
            guard case .outcomeUnknown? = try await group.error({ try await group.open(key: "o\(number)") }) else {
                Issue.record("it was answered")
                return
            }
            let id = try await group.open(on: 1, key: "o\(number)")
            #expect(try await group.open(key: "o\(number)") == id)
            #expect(group.registries[0].sessionCount == number + 1)
        }
    }

    @Test func `concurrent requests on two servers to open a session with the same key create one session`()
        async throws
    {
        group.journals[1].hold()
        let twin = Task { try await group.open(on: 1, key: "o") }
        await group.until { group.journals[1].waiting > 0 }
        let id = try await group.open(key: "o")
        group.journals[1].release()
        #expect(try await twin.value == id)
        #expect(group.registries[0].sessionCount == 1)
        #expect(try await group.open(on: 1, key: "o") == id)
        #expect(try await group.state(of: id, on: 1).revision == 1)
        #expect(group.registries[1].liveCoordinators == 1)
    }

    @Test func `ending a session succeeds even if another server wrote a newer state first`()
        async throws
    {
        let id = try await group.open()
        _ = try await group.state(of: id, on: 1)
        group.journals[1].hold()
        let end = Task { try await group.registries[1].end(id) }
        await group.until { group.journals[1].waiting > 0 }
        try await group.add("tea", to: id, on: 0)
        group.journals[1].release()
        _ = try await end.value
        guard case .ended? = try await group.error({ try await group.state(of: id, on: 0) }) else {
            Issue.record("it lives")
            return
        }
        guard case .ended? = try await group.error({ try await group.registries[0].end(id) }) else {
            Issue.record("it ended twice")
            return
        }
        #expect(group.registries.allSatisfy { $0.liveCoordinators == 0 })
    }

    @Test func `a server that has no tree of a session can end it even if another server wrote a newer state`()
        async throws
    {
        let id = try await group.open()
        group.journals[1].hold()
        let end = Task { try await group.registries[1].end(id) }
        await group.until { group.journals[1].waiting > 0 }
        try await group.add("tea", to: id, on: 0)
        group.journals[1].release()
        _ = try await end.value
        #expect(group.store.head(of: id.key)?.revision == 2)
        #expect(group.store.head(of: id.key)?.ending?.reason == "deleted")
    }

    @Test func `if a handler fails on an outdated tree, the input is handled again on the newest entries`() async throws
    {
        let group = ServerGroup(apps: [TwiceApp.self])
        let id = try await group.open("twice")
        _ = try await group.state(of: id, on: 1)
        // On the outdated tree, "odd" would be the second input, which is refused; in the record, it is the third.
        try await group.send(#""go""#, to: id, on: 0)
        try await group.send(#""go""#, to: id, on: 1)
        #expect(try await group.error { try await group.send(#""odd""#, to: id, on: 0) }?.name == "rejected")
        try await group.send(#""go""#, to: id, on: 1)
        #expect(try await group.send(#""odd""#, to: id, on: 0).revision == 5)
        try await group.expectAgreement(on: id)
    }

    @Test func `the time in a session never goes back, even if another server's clock is slow`() async throws {
        let id = try await group.open()
        group.clock.advance(by: 10_000)
        try await group.add("tea", to: id, on: 0)
        group.clock.jump(by: -5_000)
        #expect(try await group.add("milk", to: id, on: 1).text.contains("milk at 10000"))
        try await group.expectAgreement(on: id)
    }
}

/// An app that refuses some events for what came before.
enum TwiceApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { TwiceCoordinator() }
}

struct TwiceScreen: Screen {
    enum Event: String, Codable, CaseIterable { case go, odd }
    var count = 0
}

final class TwiceCoordinator: Coordinator<Never> {
    private var count = 0
    private var screen: Handle<TwiceScreen>?

    override func start() {
        screen = push(TwiceScreen()) { me, event in
            me.count += 1
            me.screen?.update { $0.count = me.count }
            if event == .odd, me.count % 2 == 1 { throw Refusal("only each second time") }
        }
    }
}

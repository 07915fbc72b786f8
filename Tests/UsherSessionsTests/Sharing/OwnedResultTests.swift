import Synchronization
import Testing
import Usher
import UsherJSON
import UsherJournal

@testable import UsherSessions

extension EffectTests {
    /// Among the effects' tests, for the errands of all are run by one courier.
    @Suite("Results of owned work", .timeLimit(.minutes(5)))
    struct OwnedResultTests {
        let group = ServerGroup(apps: [ErrandApp.self])
        let courier = Courier()

        init() {
            let courier = courier
            Courier.shared.withLock { $0 = courier }
        }

        @Test func `the server that receives a request waits for the request's effect before it answers`() async throws
        {
            let id = try await group.open("errand")
            let answer = try await group.run("tea", on: id, at: 1, wait: .seconds(5))
            #expect(answer.text.contains(#""log":["tea done"]"#))
            #expect(answer.revision == 3)
            try await group.expectAgreement(on: id)
        }

        @Test func `a retry on another server waits for the answer that the first server stores`() async throws {
            courier.hold()
            let id = try await group.open("errand")
            _ = try await group.state(of: id, on: 1)
            let first = Task {
                try await group.send(#"{"run":{"_0":"tea"}}"#, to: id, on: 0, key: "a", wait: .seconds(5))
            }
            await group.until { courier.waiting == ["tea"] }
            let twin = Task {
                try await group.send(#"{"run":{"_0":"tea"}}"#, to: id, on: 1, key: "a", wait: .seconds(5))
            }
            await group.until { group.clock.isAwaited(at: 200) }
            courier.release("there")
            let answer = try await first.value
            group.clock.advance(by: 200)
            #expect(try await twin.value.state == answer.state)
            #expect(courier.ids.count == 1)
            try await group.expectAgreement(on: id)
        }

        @Test func `an effect's result is accepted even if another server handled an input meanwhile`()
            async throws
        {
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            try await say("hello", to: id, on: 1)
            courier.release("there")
            await group.until { group.store.head(of: id.key)?.revision == 4 }
            #expect(try await group.state(of: id, on: 1).text.contains(#""log":["hello","there"]"#))
            try await group.expectAgreement(on: id)
        }

        @Test func `an answer that waits for an effect is sent when another server's input cancels the effect`()
            async throws
        {
            courier.hold()
            let id = try await group.open("errand")
            try await group.send(#""sheet""#, to: id, on: 0)
            let answer = Task { try await group.run("tea", on: id, at: 0, wait: .seconds(60)) }
            await group.until { courier.waiting == ["sheet"] }
            try await group.perform(#"{"dismissed":2}"#, on: id, at: 1)
            await group.registries[0].meetPeers()
            #expect(try await answer.value.revision == 4)
            courier.release()
            try await group.expectAgreement(on: id)
        }

        @Test
        func `an effect is cancelled on its own server if an input on another server has ended the effect`()
            async throws
        {
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            _ = try await group.registries[1].end(id)
            #expect(try await group.error { try await group.state(of: id, on: 0) }?.name == "ended")
            courier.release()
            for _ in 0..<1_000 { await Task.yield() }
            #expect(group.store.head(of: id.key)?.ending != nil)
            #expect(group.registries[0].settings.owned?.sessions.isEmpty == true)
        }

        @Test func `an effect's work is not deleted before its result is durable, even after a failover`()
            async throws
        {
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            let before = group.store.records
            for text in ["one", "two"] { try await say(text, to: id, on: 0) }
            group.store.goBack(to: before)
            #expect(try await group.state(of: id, on: 0).revision == 2)
            group.journals[0].hold()
            courier.release("there")
            await group.until { group.journals[0].waiting > 0 }
            let session = try #require(group.registries[0].store.find(id))
            session.commit(0)
            #expect(group.journals[0].released.isEmpty)
            #expect(group.store.work(of: id.key) == [WorkPiece(revision: 2, place: 1)])
            try await say("hello", to: id, on: 1)
            group.journals[0].release()
            // The same run of the effect delivers its result again.
            await group.until { group.store.head(of: id.key)?.revision == 4 }
            #expect(courier.ids.count == 1)
            #expect(try await group.state(of: id, on: 1).text.contains(#""log":["hello","there"]"#))
            await group.until { group.store.work(of: id.key).isEmpty }
            try await group.expectAgreement(on: id)
        }

        private func say(_ text: String, to id: SessionID, on server: Int) async throws {
            let message = InputContent.message(try JSONDocument(parsing: Array(#"{"text":"\#(text)"}"#.utf8)).root)
            _ = try await group.registries[server].handle(InputRequest(message), on: id)
        }
    }
}

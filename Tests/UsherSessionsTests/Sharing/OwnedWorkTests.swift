import Glibc
import Synchronization
import Testing
import Usher
import UsherJournal
import UsherProcess

@testable import UsherSessions

extension EffectTests {
    /// Among the effects' tests, for the errands of all are run by one courier.
    @Suite("Work that belongs to one server", .timeLimit(.minutes(5)))
    struct OwnedWorkTests {
        let group = ServerGroup(apps: [ErrandApp.self])
        let courier = Courier()

        init() {
            let courier = courier
            Courier.shared.withLock { $0 = courier }
        }

        @Test func `only the server that began an effect runs it`() async throws {
            courier.hold()
            let id = try await group.open("errand")
            _ = try await group.state(of: id, on: 1)
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            #expect(group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key) == 0)
            #expect(try await group.state(of: id, on: 1).text.contains(#""pending":["errand"]"#))
            for registry in group.registries { await registry.meetPeers() }
            for _ in 0..<1_000 { await Task.yield() }
            #expect(courier.ids.count == 1)
            courier.release("there")
            await group.until { group.store.head(of: id.key)?.revision == 3 }
            #expect(try await group.state(of: id, on: 1).text.contains(#""log":["there"]"#))
            await group.until { group.store.work(of: id.key).isEmpty }
            try await group.expectAgreement(on: id)
        }

        @Test func `the work of a server that is gone is claimed once, with the same id`() async throws {
            let group = ServerGroup(3, apps: [ErrandApp.self])
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            group.clock.advance(by: 16_000)
            for server in 1...2 { group.journals[server].beat() }
            await withTaskGroup { tasks in
                for server in 1...2 { tasks.addTask { await group.registries[server].meetPeers() } }
            }
            await group.until { courier.ids.count == 2 }
            for server in 1...2 { await group.registries[server].meetPeers() }
            #expect(courier.ids.count == 2)
            #expect(Set(courier.ids).count == 1)
            // Both runs end, even the run on the server that was only frozen, but only one result is accepted.
            courier.release("there")
            await group.until { group.store.head(of: id.key)?.revision == 3 }
            for _ in 0..<1_000 { await Task.yield() }
            #expect(try await group.state(of: id, on: 1).revision == 3)
            try await group.expectAgreement(on: id)
        }

        @Test func `a server that missed its heartbeat begins no work until it is registered again`() async throws {
            let id = try await group.open("errand")
            group.clock.advance(by: 16_000)
            try await group.run("tea", on: id, at: 0)
            for _ in 0..<1_000 { await Task.yield() }
            #expect(courier.ids.isEmpty)
            group.journals[0].beat()
            await group.registries[0].meetPeers()
            await group.until { group.store.head(of: id.key)?.revision == 3 }
            #expect(courier.ids.count == 1)
        }

        @Test func `work that belonged to an expired lease does not belong to the server's new lease`() async throws {
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            group.clock.advance(by: 16_000)
            group.journals[1].beat()
            await group.registries[1].meetPeers()
            await group.until { courier.ids.count == 2 }
            group.journals[0].beat()
            await group.registries[0].meetPeers()
            #expect(group.registries[0].settings.owned?.sessions.isEmpty == true)
            let owner = group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key)
            #expect(owner == group.journals[1].lease)
            courier.release("there")
            await group.until { group.store.work(of: id.key).isEmpty }
            try await group.expectAgreement(on: id)
        }

        @Test func `a server can claim work even if it cannot read the guilty inputs`() async throws {
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            group.clock.advance(by: 16_000)
            group.journals[1].beat()
            group.journals[1].hideLedger()
            await group.registries[1].meetPeers()
            await group.until { courier.ids.count == 2 }
            courier.release("there")
            await group.until { group.store.head(of: id.key)?.revision == 3 }
        }

        @Test func `a server claims work without an owner when it next renews its lease`() async throws {
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            group.clock.advance(by: 16_000)
            for journal in group.journals { journal.beat() }
            await group.registries[0].meetPeers()
            #expect(group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key) == 100)
            #expect(group.registries[0].settings.owned?.sessions == [id.key])
            // The effect is already running, so it does not begin again.
            #expect(courier.ids.count == 1)
            courier.release("there")
            await group.until { group.store.work(of: id.key).isEmpty }
            try await group.expectAgreement(on: id)
        }

        @Test func `a server deletes work whose session does not exist`() async throws {
            let key = JournalKey(high: 1, low: 2)
            let piece = WorkPiece(revision: 3, place: 1)
            group.store.contents.withLock { $0.work[key] = [piece: SharedStore.WorkRow(due: 0, owner: nil)] }
            await group.registries[0].meetPeers()
            #expect(group.store.work(of: key).isEmpty)
            #expect(group.registries[0].settings.owned?.sessions.isEmpty == true)
        }

        @Test func `a server deletes only work that belongs to its own lease`() {
            let key = JournalKey(high: 1, low: 2)
            let piece = WorkPiece(revision: 3, place: 1)
            group.store.contents.withLock { $0.work[key] = [piece: SharedStore.WorkRow(due: 0, owner: 1)] }
            let owned = OwnedWork(group.journals[0])
            owned.add([piece], of: key, under: 0)
            owned.settle(pending: [], through: 3, of: key)
            #expect(group.journals[0].released == [piece])
            #expect(group.store.work(of: key) == [piece])
        }

        @Test func `a timer has no owner until it is due soon, and fires once`() async throws {
            let id = try await group.open("errand")
            try await group.send(#"{"wait":{"_0":60000}}"#, to: id, on: 0)
            let piece = WorkPiece(revision: 2, place: 1)
            #expect(group.store.owner(of: piece, in: id.key) == .some(nil))
            group.clock.advance(by: 56_000)
            for journal in group.journals { journal.beat() }
            await group.registries[1].meetPeers()
            #expect(group.store.owner(of: piece, in: id.key) == group.journals[1].lease)
            await group.registries[0].meetPeers()
            await group.until { group.clock.isAwaited(at: 60_000) }
            group.clock.advance(by: 4_000)
            await group.until { group.store.head(of: id.key)?.revision == 3 }
            #expect(try await group.state(of: id, on: 0).text.contains("waited 60000"))
            await group.until { group.store.work(of: id.key).isEmpty }
            try await group.expectAgreement(on: id)
        }

        @Test func `a timer that is due soon belongs to its server at once`() async throws {
            let id = try await group.open("errand")
            try await group.send(#"{"wait":{"_0":5000}}"#, to: id, on: 0)
            #expect(group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key) == 0)
            await group.until { group.clock.isAwaited(at: 5_000) }
            group.clock.advance(by: 5_000)
            await group.until { group.store.head(of: id.key)?.revision == 3 }
        }

        @Test func `the work of a change does not begin if another server wrote first`() async throws {
            let id = try await group.open("errand")
            _ = try await group.state(of: id, on: 1)
            group.journals[1].hold()
            let event = Task { try await group.run("milk", on: id, at: 1) }
            await group.until { group.journals[1].waiting > 0 }
            try await group.run("tea", on: id, at: 0, wait: .seconds(5))
            #expect(courier.ids.count == 1)
            group.journals[1].release()
            #expect(try await event.value.revision == 4)
            await group.until { group.store.head(of: id.key)?.revision == 5 }
            #expect(courier.ids.count == 2)
            #expect(Set(courier.ids).count == 2)
            try await group.expectAgreement(on: id)
        }

        @Test(arguments: [SharedJournal.Cut.before, .after])
        func `the work of a change whose outcome is unknown begins on the server that made the change`(
            cut: SharedJournal.Cut
        )
            async throws
        {
            let id = try await group.open("errand")
            group.journals[0].cut(cut)
            #expect(try await group.error { try await group.run("tea", on: id, at: 0) }?.name == "outcomeUnknown")
            #expect(courier.ids.isEmpty)
            await group.registries[0].meetPeers()
            guard case .after = cut else {
                #expect(courier.ids.isEmpty)
                #expect(group.registries[0].settings.owned?.sessions.isEmpty == true)
                return
            }
            await group.until { group.store.head(of: id.key)?.revision == 3 }
            #expect(courier.ids.count == 1)
            await group.until { group.store.work(of: id.key).isEmpty }
            try await group.expectAgreement(on: id)
        }

        @Test func `a session may leave memory while another server does its work`() async throws {
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            _ = try await group.state(of: id, on: 1)
            await group.until { courier.waiting == ["tea"] }
            // Only the time of day jumps. If uptime passed, the effect would exceed its time limit.
            group.clock.jump(by: 10 * 60_000)
            for registry in group.registries { await registry.sweep() }
            #expect(group.registries.map(\.awakeCount) == [1, 0])
        }

        @Test func `an effect that was running while two servers crashed is reported as failed by a third server`()
            async throws
        {
            let group = ServerGroup(3, apps: [ErrandApp.self])
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            for server in 1...2 {
                await group.until { courier.ids.count == server }
                // This is the mark that a server finds at its next start after its process has died.
                let mark = FlightMark(
                    .effect, of: (id.key.high, id.key.low), app: "errand", upon: 0, payload: Array("2.1".utf8),
                    note: .signal(SIGILL))
                let start = SessionRegistry(
                    apps: [ErrandApp.self], journal: SharedJournal(group.store, node: 10 + server),
                    clock: group.clock)
                // Two marks show that two threads were working on the effect.
                await start.recover(from: [mark, mark])
                group.clock.advance(by: 16_000)
                group.journals[server].beat()
                await group.registries[server].meetPeers()
            }
            await group.until { group.store.head(of: id.key)?.revision == 3 }
            #expect(courier.ids.count == 2)
            let last = try await group.registries[2].entries(of: id).last?.payload ?? []
            let end = String(decoding: last, as: UTF8.self)
            #expect(end.hasPrefix(#"{"effect":"2.1","failure":{"code":"resultRefused","#), "\(end)")
            #expect(end.contains("the effect was running at 2 crashes"), "\(end)")
        }
    }
}

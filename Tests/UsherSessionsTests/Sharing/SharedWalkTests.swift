import SeededRandom
import Synchronization
import Testing
import Usher
import UsherJournal
import UsherSessions

/// Clients of three servers add lines to one ledger, while commits are held up, cut off, and the journal goes away; a
/// checker holds what they were told against what is there at the end.
@Suite("Random walks through one session on three servers", .timeLimit(.minutes(5)))
struct SharedWalkTests {
    private static let clients = 4
    private static let lines = 12

    @Test(arguments: 1...4)
    func `each acknowledged line of text is in the session once, and no read is stale`(seed: Int) async throws {
        let group = ServerGroup(3)
        let id = try await group.open()
        let walk = Walk(group, id)
        let (anomalies, troubles) = try await run(walk, seed: UInt64(seed))
        #expect(anomalies.isEmpty, "\(anomalies)")
        // A walk without any trouble would prove nothing.
        #expect(troubles > 0)
        #expect(try await group.state(of: id, on: 0).revision == 1 + Self.clients * Self.lines)
        try await group.expectAgreement(on: id)
    }

    @Test func `without confirmations, the checker finds stale reads`() async throws {
        var found = 0
        for seed in 1...4 {
            let group = ServerGroup(3)
            let id = try await group.open()
            for server in 0..<3 { _ = try await group.state(of: id, on: server) }
            for journal in group.journals { journal.confirmNothing() }
            found += try await run(Walk(group, id), seed: UInt64(seed)).anomalies.count
        }
        #expect(found > 0)
    }

    private func run(_ walk: Walk, seed: UInt64) async throws -> (anomalies: [String], troubles: Int) {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await walk.trouble(seed: seed) }
            try await withThrowingTaskGroup(of: Void.self) { clients in
                for client in 0..<Self.clients {
                    clients.addTask { try await walk.add(Self.lines, as: client, seed: seed) }
                }
                try await clients.waitForAll()
            }
            walk.isOver.store(true, ordering: .relaxed)
            try await tasks.waitForAll()
        }
        let text = try await walk.group.state(of: walk.id, on: 0).text
        for line in (0..<Self.clients).flatMap({ client in (0..<Self.lines).map { "c\(client)-\($0);" } }) {
            let count = text.split(separator: line, omittingEmptySubsequences: false).count - 1
            if count != 1 { walk.note("\(line) is there \(count) times") }
        }
        return walk.findings
    }

    /// A walk's clients and its troublemaker.
    private final class Walk: Sendable {
        let group: ServerGroup
        let id: SessionID
        let isOver = Atomic(false)
        private let found = Mutex<(anomalies: [String], troubles: Int)>(([], 0))

        init(_ group: ServerGroup, _ id: SessionID) {
            self.group = group
            self.id = id
        }

        var findings: (anomalies: [String], troubles: Int) { found.withLock { $0 } }

        func note(_ anomaly: String) { found.withLock { $0.anomalies.append(anomaly) } }

        func add(_ lines: Int, as client: Int, seed: UInt64) async throws {
            var dice = SplitMix64(seed: seed &* 31 &+ UInt64(client))
            for number in 0..<lines {
                let line = "c\(client)-\(number);"
                // Before each line, wait for the next trouble, even if the task that causes it is slow.
                while findings.troubles < number { await Task.yield() }
                while !(try await add(line, on: Int.random(in: 0..<3, using: &dice))) {}
                let shown = await text(on: Int.random(in: 0..<3, using: &dice))
                if !shown.contains(line) { note("a read does not show \(line)") }
            }
        }

        /// - Returns: False where it has not happened.
        private func add(_ line: String, on server: Int) async throws -> Bool {
            do {
                try await group.add(line, to: id, on: server)
                return true
            } catch SessionError.outcomeUnknown {
                return await text(on: (server + 1) % 3).contains(line)
            } catch SessionError.notRecorded, SessionError.notRead {
                await Task.yield()
                return false
            }
        }

        /// The state, once the journal can be read.
        private func text(on server: Int) async -> String {
            while true {
                if let state = try? await group.state(of: id, on: server) { return state.text }
                await Task.yield()
            }
        }

        /// Makes trouble until the clients have done.
        func trouble(seed: UInt64) async {
            var dice = SplitMix64(seed: seed)
            while !isOver.load(ordering: .relaxed) {
                let journal = group.journals[Int.random(in: 0..<3, using: &dice)]
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: journal.cut(.before)
                case 1: journal.cut(.after)
                case 2:
                    journal.setReachable(false)
                    await pause(&dice)
                    journal.setReachable(true)
                default:
                    journal.hold()
                    await pause(&dice)
                    journal.release()
                }
                found.withLock { $0.troubles += 1 }
                await pause(&dice)
            }
        }

        private func pause(_ dice: inout SplitMix64) async {
            for _ in 0..<Int.random(in: 1...200, using: &dice) { await Task.yield() }
        }
    }
}

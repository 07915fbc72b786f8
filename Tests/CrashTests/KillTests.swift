import LocalhostClient
import Programs
import Testing

/// P1 and P2 of what is promised: nothing acknowledged is lost, nothing is done twice.
@Suite("A server that is killed under load", .serialized, .timeLimit(.minutes(5)))
struct KillTests {
    private static let clients = 8
    private static let kills: [WalkedApp: Int] = [.tudy: LongRun.choose(20, long: 50), .laps: 30]

    @Test(arguments: WalkedApp.allCases)
    func `after kill -9 under load, each acknowledged event is recorded once, even if its session started over`(
        app: WalkedApp
    ) async throws {
        try await BlockingThreads.run { try await killAgainAndAgain(app) }
    }

    private func killAgainAndAgain(_ app: WalkedApp) async throws {
        let server = try Crashing(app.program)
        var dice = Dice(state: 1)
        let walkers = try await Self.walkers(through: app)
        let kills = try #require(Self.kills[app])
        for kill in 0..<kills {
            try #require(try server.start())
            try await load(
                server, walkers, until: Int.random(in: 1...60, using: &dice), retrying: kill.isMultiple(of: 2))
        }
        try #require(try server.start())
        for walker in walkers { try await walker.expectAcknowledged(server.port) }
        #expect(walkers.reduce(0) { $0 + $1.acknowledged } > kills)
        if app == .laps { #expect(walkers.allSatisfy { $0.beginnings > 5 }, "\(walkers.map(\.beginnings))") }
    }

    /// Lets all clients send requests, and kills the server after a number of responses.
    private func load(_ server: Crashing, _ walkers: [Walker], until answers: Int, retrying: Bool) async throws {
        let port = server.port
        let count = Answers(until: answers, for: walkers.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for walker in walkers {
                let sent = Walking(walker)
                group.addTask { try await sent.walk(port, retrying: retrying, count) }
            }
            await count.wait()
            server.kill()
            try await group.waitForAll()
        }
    }

    private static func walkers(through app: WalkedApp) async throws -> [Walker] {
        var walkers: [Walker] = []
        for name in 0..<clients { walkers.append(try await Walker(name, through: app)) }
        return walkers
    }
}

import Dispatch
import Synchronization
import UsherJournal
import UsherPostgres

/// Two servers on one database, which must fulfil the contract like one journal.
///
/// A session's changes go to the servers in turn, and reads use the server that did not write.
final class TwoServerJournal: Journal {
    /// A change of a session, with its server.
    private struct HousedChange {
        let home: Int
        let commit: PendingCommit
    }

    private struct Homes {
        /// The changes of each session, the newest last.
        var sessions: [JournalKey: [HousedChange]] = [:]
        var turn = 0
    }

    private let servers: [PostgresJournal]
    private let homes = Mutex(Homes())

    init() throws {
        let location = try PostgresJournal.newDatabase()
        servers = try ["one", "two"].map { try PostgresJournal.open(location, named: $0) }
    }

    var epoch: String? { nil }

    var count: Int { servers.reduce(0) { $0 + $1.count } }

    /// Waits for the other server's change of the session, so that the calls have one order.
    func submit(_ change: JournalChange) -> PendingCommit {
        let (home, newest) = homes.withLock { homes in
            let changes = homes.sessions[change.key] ?? []
            let base = changes.last { change.basis.isSame(as: $0.commit) }
            let home = base?.home ?? (homes.turn + 1) % 2
            homes.turn = home
            return (home, changes.last)
        }
        if let newest, newest.home != home {
            let isDone = DispatchSemaphore(value: 0)
            newest.commit.whenEnded { _ in isDone.signal() }
            isDone.wait()
        }
        let commit = servers[home].submit(change)
        homes.withLock { $0.sessions[change.key, default: []].append(HousedChange(home: home, commit: commit)) }
        return commit
    }

    /// Returns the server that did not write the newest change.
    ///
    /// Before that, the other server must have finished all submitted changes.
    private func other(of key: JournalKey) async throws(JournalError) -> PostgresJournal {
        let home = homes.withLock { $0.sessions[key]?.last?.home ?? 0 }
        _ = try await servers[home].answer(under: "", of: key)
        return servers[1 - home]
    }

    private var next: PostgresJournal {
        servers[
            homes.withLock { homes in
                homes.turn = (homes.turn + 1) % 2
                return homes.turn
            }]
    }

    func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try await other(of: key).record(of: key)
    }

    func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await other(of: key).head(of: key)
    }

    func answer(under idempotencyKey: String, of key: JournalKey) async throws(JournalError) -> KeyedAnswer? {
        try await other(of: key).answer(under: idempotencyKey, of: key)
    }

    func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await next.opening(under: idempotencyKey)
    }

    func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        try await next.sessions(matching: query)
    }

    func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await next.count(matching: query, limit: limit)
    }

    func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await next.idle(since: time, limit: limit)
    }

    func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession] { [] }

    func residue() async throws(JournalError) -> Int { try await next.residue() }

    func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int {
        try await next.purge(endedBefore: time, limit: limit)
    }

    func add(_ input: GuiltyInput) async throws(JournalError) { try await next.add(input) }

    func guiltyInputs() async throws(JournalError) -> [GuiltyInput] { try await next.guiltyInputs() }

    func forget(_ selection: GuiltyInput.Selection) async throws(JournalError) { try await next.forget(selection) }

    func builds() async throws(JournalError) -> [JournalBuild] { try await next.builds() }

    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) async throws(JournalError) {
        try await next.note(build, at: time, isConfirmed: isConfirmed)
    }

    func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold] {
        try await next.holds(for: build, in: keys, limit: limit)
    }

    func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int] {
        try await next.holdCounts(for: build)
    }

    func change(_ change: HoldChange) async throws(JournalError) { try await next.change(change) }

    func backUp() async throws(JournalError) -> Backup { try await next.backUp() }

    func close() async {
        for server in servers { await server.close() }
    }
}

import Dispatch
import Synchronization
import UsherJournal
import UsherPostgres

/// Two servers on one database, which must fulfil the contract like one journal.
///
/// A session's changes go to the servers in turn, and reads use the server that did not write.
final class TwoServerJournal: ThreadedJournal {
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

    var refusal: JournalError? { nil }

    func use<Answer: Sendable>(
        of key: JournalKey?, _ body: @escaping @Sendable (any JournalContents) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        if let key { try await other(of: key).use(of: key, body) } else { try await next.use(of: nil, body) }
    }

    func backUp() async throws(JournalError) -> Backup { try await next.backUp() }

    func close() async {
        for server in servers { await server.close() }
    }
}

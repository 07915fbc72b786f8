import Synchronization
import Usher
import UsherSessions

@testable import UsherJournal

/// The rows that several servers share in a test: records with their versions, work with its owners, leases, chores.
final class SharedStore: Sendable {
    /// A record and its version.
    struct VersionedRecord {
        var rows: MemoryRecord
        var token: RecordToken

        func record(of key: JournalKey) throws(JournalError) -> SessionRecord {
            let record = try rows.record(of: key)
            return try SessionRecord(
                head: record.head.bytes(of: key), entries: record.entries.map { $0.bytes(of: key) },
                answers: record.answers.map { $0.bytes(of: key) }, of: key, token: token)
        }
    }

    struct WorkRow {
        let due: Int64
        /// The lease that owns it.
        var owner: Int64?
    }

    struct Contents {
        var records: [JournalKey: VersionedRecord] = [:]
        var openings: [String: KeyedOpening] = [:]
        var work: [JournalKey: [WorkPiece: WorkRow]] = [:]
        var guilty = GuiltyInputList()
        /// The number of guilty inputs so far.
        var condemned: Int64 = 0
        var leases: [Int: ServerLease] = [:]
        /// The build of each server.
        var builds: [Int: Int] = [:]
        var served = JournalBuildList()
        var held = HoldList()
        var refusals: [SessionRefusal] = []
        var chores: [JournalChore: (owner: Int, until: Int64)] = [:]
        var mark: UInt64 = 0
        var listeners: [(node: Int, listener: Listener)] = []
        var rings = false
        /// The times that a server has learned the number of sessions.
        var counts = 0
    }

    /// A server's lease: its first has the server's number, the next a hundred more, and so on.
    struct ServerLease {
        var number: Int64
        var until: Int64
    }

    struct Listener {
        weak var value: (any JournalListener)?
    }

    let contents = Mutex(Contents())
    let clock: ManualClock

    init(_ clock: ManualClock) {
        self.clock = clock
    }

    /// The times that a server has learned the number of sessions.
    var counts: Int { contents.withLock(\.counts) }

    /// From now on servers hear what others write.
    func ring() { contents.withLock { $0.rings = true } }

    /// Tells one server of what others have written.
    func ring(_ key: JournalKey, at revision: Int, for node: Int) {
        let listeners = contents.withLock { $0.listeners.filter { $0.node == node }.compactMap(\.listener.value) }
        for listener in listeners { listener.hear([JournalRing(key, at: revision)]) }
    }

    /// The rows as they are, to go back to.
    var records: [JournalKey: VersionedRecord] { contents.withLock { $0.records } }

    /// Loses what was written since, as a failover to a lagging standby does.
    func goBack(to records: [JournalKey: VersionedRecord]) { contents.withLock { $0.records = records } }

    func head(of key: JournalKey) -> SessionHeader? { contents.withLock { $0.records[key]?.rows.header } }

    func touched(_ key: JournalKey) -> Int64? { contents.withLock { $0.records[key]?.rows.touched } }

    func owner(of piece: WorkPiece, in key: JournalKey) -> Int64?? {
        contents.withLock { contents in contents.work[key]?[piece].map(\.owner) }
    }

    func work(of key: JournalKey) -> Set<WorkPiece> { contents.withLock { Set($0.work[key]?.keys.map(\.self) ?? []) } }

    func beat(_ node: Int) {
        let now = clock.now().milliseconds
        contents.withLock { contents in
            var lease = contents.leases[node] ?? ServerLease(number: Int64(node), until: now)
            if lease.until < now { lease.number += 100 }
            lease.until = now + 15_000
            contents.leases[node] = lease
        }
    }

    func lease(of node: Int) -> Int64 { contents.withLock { $0.leases[node]?.number ?? -1 } }

    func holdsLease(_ node: Int) -> Bool {
        let now = clock.now().milliseconds
        return contents.withLock { $0.leases[node]?.until ?? .min >= now }
    }

    /// Writes a change, if it follows.
    func apply(_ change: JournalChange, by node: Int) -> CommitResult {
        if let failure = change.basis.failure { return .failure(failure) }
        let (result, heard) = contents.withLock { contents -> (CommitResult, [any JournalListener]) in
            do throws(JournalError) {
                let before = contents.records[change.key]?.token
                if let rival = change.rival, contents.isServing(rival, at: clock.now().milliseconds) { throw .conflict }
                try contents.apply(change)
                guard let token = contents.records[change.key]?.token, token != before else {
                    return (.success(change.basis.version), [])
                }
                contents.begin(change)
                let others = contents.listeners.filter { $0.node != node }.compactMap(\.listener.value)
                return (.success(token), contents.rings ? others : [])
            } catch {
                return (.failure(error), [])
            }
        }
        guard case .success(let version?) = result else { return result }
        for listener in heard { listener.hear([JournalRing(change.key, at: version.revision)]) }
        return result
    }

    /// Claims work, and with it what the lease owns already where that is wanted.
    func claim(
        under lease: Int64, dueBy time: Int64, orOwned isAdopting: Bool, except excluded: [JournalKey],
        for build: UInt64
    ) -> [ClaimedWork] {
        let now = clock.now().milliseconds
        return contents.withLock { contents in
            var claimed: [JournalKey: [WorkPiece]] = [:]
            let living = Set(contents.leases.values.filter { $0.until >= now }.map(\.number))
            guard living.contains(lease) else { return [] }
            let others = living.subtracting(isAdopting ? [lease] : [])
            let held = Set(contents.holds(for: build, in: JournalKey.all).map(\.key))
            for (key, pieces) in contents.work where !excluded.contains(key) && !held.contains(key) {
                for (piece, row) in pieces where row.due <= time && !(row.owner.map(others.contains) ?? false) {
                    contents.work[key]?[piece]?.owner = lease
                    claimed[key, default: []].append(piece)
                }
            }
            return claimed.map { ClaimedWork($0, $1) }
        }
    }
}

extension SharedStore.Contents {
    /// The verdicts of a build that stand.
    func holds(for build: UInt64, in keys: ClosedRange<JournalKey>) -> [SessionHold] {
        held.standing(for: build, in: keys) { key in
            records[key].map { RecordHead($0.rows.header, token: $0.token) }
        }
    }

    /// Returns a Boolean value indicating whether a server of a build lives.
    func isServing(_ build: UInt64, at time: Int64) -> Bool {
        builds.contains { UInt64($0.value) == build && leases[$0.key]?.until ?? .min >= time }
    }

    mutating func apply(_ change: JournalChange) throws(JournalError) {
        guard var record = records[change.key] else { return try create(change) }
        let isSwap =
            switch change.action {
            case .create, .append, .extend, .startOver, .keep, .grant, .end: true
            case .complete, .erase, .touch: false
            }
        guard !isSwap || record.token == change.basis.version else { throw .conflict }
        _ = try record.rows.apply(change)
        if isSwap {
            mark += 1
            let revision = record.rows.header.revision
            record.token = record.token.followed(to: revision, by: mark)
            switch change.action {
            case .startOver, .end: work[change.key] = nil
            default: break
            }
        }
        records[change.key] = record
    }

    private mutating func create(_ change: JournalChange) throws(JournalError) {
        guard case .begin(let header, let entries, let opening) = try change.update(upon: .missing) else { return }
        if let opening {
            guard openings[opening.key] == nil else { throw .conflict }
            openings[opening.key] = KeyedOpening(session: change.key, answer: opening)
        }
        mark += 1
        records[change.key] = SharedStore.VersionedRecord(
            rows: MemoryRecord(header, entries: entries, opening: opening),
            token: RecordToken(revision: header.revision, mark: mark))
    }

    mutating func begin(_ change: JournalChange) {
        for begun in change.begun {
            work[change.key, default: [:]][begun.piece] = SharedStore.WorkRow(due: begun.due ?? 0, owner: begun.owner)
        }
    }
}

import Synchronization
import Usher
import UsherSessions

@testable import UsherJournal

/// One server's side of a journal in memory that several share, whose commits can be held up, lost, or left unknown.
final class SharedJournal: Journal, JournalPeers {
    /// A way in which a commit ends without an answer.
    enum Cut {
        /// It was not written.
        case before
        /// It was written, and nobody was told.
        case after
    }

    private struct Switches {
        var held: [@Sendable () -> Void]?
        var cut: Cut?
        /// Set once an answer was lost.
        var isInDoubt = false
        var isReachable = true
        var confirms = true
        var confirmations = 0
        var released: [WorkPiece] = []
        var ledgerReadings = 0
        var recordReads = 0
        var isLedgerReadable = true
        var clockError: Int64 = 0
    }

    let store: SharedStore
    let node: Int
    private let build: Int
    /// The journal's clock; nil if it has none.
    private let clock: (any Clock)?
    private let switches = Mutex(Switches())

    /// Makes the side of a server that lives from now on.
    ///
    /// - Parameters:
    ///   - node: Its number.
    ///   - build: Its build; the newest has the highest number.
    ///   - clock: The journal's clock; none unless told.
    init(_ store: SharedStore, node: Int, build: Int = 1, clock: (any Clock)? = nil) {
        self.store = store
        self.clock = clock
        self.node = node
        self.build = build
        store.beat(node)
        store.contents.withLock { contents in
            contents.builds[node] = build
            contents.served.note(UInt64(build), at: store.clock.now().milliseconds, isConfirmed: false)
        }
    }

    // MARK: Switches

    /// From now on commits and confirmations wait for `release`.
    func hold() { switches.withLock { $0.held = $0.held ?? [] } }

    /// The number of those that wait.
    var waiting: Int { switches.withLock { $0.held?.count ?? 0 } }

    /// Does what has waited, in its order.
    func release(holdingNext holdsNext: Bool = false) {
        let held = switches.withLock { switches in
            defer { switches.held = holdsNext ? [] : nil }
            return switches.held ?? []
        }
        for body in held { body() }
    }

    /// The next commit ends without an answer.
    func cut(_ cut: Cut) { switches.withLock { $0.cut = cut } }

    func setReachable(_ isReachable: Bool) { switches.withLock { $0.isReachable = isReachable } }

    /// Has this server's clock be ahead of the journal's, in milliseconds.
    func setClockError(_ error: Int64) { switches.withLock { $0.clockError = error } }

    /// Lets the list of guilty inputs be unreadable, and nothing else.
    func hideLedger() { switches.withLock { $0.isLedgerReadable = false } }

    /// From now on confirms whatever it is asked to, as a journal must not.
    func confirmNothing() { switches.withLock { $0.confirms = false } }

    /// The number of confirmations that were asked for.
    var confirmations: Int { switches.withLock { $0.confirmations } }

    /// The number of times that the list of guilty inputs was read.
    var ledgerReadings: Int { switches.withLock { $0.ledgerReadings } }

    /// The number of records that were read.
    var recordReads: Int { switches.withLock { $0.recordReads } }

    /// The work that was released.
    var released: [WorkPiece] { switches.withLock { $0.released } }

    func beat() { store.beat(node) }

    private func run(_ body: @escaping @Sendable () -> Void) {
        let isHeld = switches.withLock { switches in
            switches.held?.append(body)
            return switches.held != nil
        }
        if !isHeld { body() }
    }

    private func check() throws(JournalError) {
        guard switches.withLock({ $0.isReachable }) else { throw .unavailable("the database is away") }
    }

    // MARK: Journal

    var epoch: String? { nil }
    var peers: (any JournalPeers)? { self }
    var count: Int {
        store.contents.withLock { contents in contents.records.values.count { $0.rows.header.ending == nil } }
    }

    func submit(_ change: JournalChange) -> PendingCommit {
        let commit = PendingCommit(in: GroupCommit())
        run { [self] in commit.end(write(change)) }
        return commit
    }

    private func write(_ change: JournalChange) -> CommitResult {
        let (cut, isReachable) = switches.withLock { switches in
            defer { switches.cut = nil }
            if switches.cut != nil { switches.isInDoubt = true }
            return (switches.cut, switches.isReachable)
        }
        guard isReachable else { return .failure(.unavailable("the database is away")) }
        if cut == .after { _ = store.apply(change, by: node) }
        guard cut == nil else { return .failure(.outcomeUnknown("nobody answers")) }
        return store.apply(change, by: node)
    }

    func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try check()
        switches.withLock { $0.recordReads += 1 }
        return try store.contents.withLock { contents throws(JournalError) in try contents.records[key]?.record(of: key)
        }
    }

    func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try check()
        return store.contents.withLock { $0.records[key].map { RecordHead($0.rows.header, token: $0.token) } }
    }

    func answer(under idempotencyKey: String, of key: JournalKey) async throws(JournalError) -> KeyedAnswer? {
        try check()
        return try store.contents.withLock { contents throws(JournalError) in
            try contents.records[key]?.rows.answer(under: idempotencyKey, of: key)
        }
    }

    func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try check()
        return store.contents.withLock { $0.openings[idempotencyKey] }
    }

    func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        query.select(from: listings { _ in true }.map { FoundSession($0, touched: store.touched($0.key) ?? 0) })
    }

    func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await sessions(matching: query.fromTheFirst(limit: limit)).count
    }

    func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        listings { self.store.touched($0) ?? .max <= time }
    }

    private func listings(_ body: (JournalKey) -> Bool) -> [SessionListing] {
        let living = store.records.filter { $0.value.rows.header.ending == nil }
        return living.keys.filter(body).sorted().map { SessionListing(key: $0, head: living[$0]?.rows.header) }
    }

    func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession] { [] }

    func residue() async throws(JournalError) -> Int { 0 }

    func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int {
        store.contents.withLock { contents in
            let gone = contents.records.filter { $0.value.rows.header.ending.map { $0.time < time } ?? false }.keys
            for key in gone { contents.records[key] = nil }
            return gone.count
        }
    }

    func add(_ input: GuiltyInput) async throws(JournalError) {
        store.contents.withLock { contents in
            contents.condemned += 1
            contents.guilty.add(input)
        }
    }

    func guiltyInputs() async throws(JournalError) -> [GuiltyInput] {
        switches.withLock { $0.ledgerReadings += 1 }
        return store.contents.withLock { $0.guilty.inputs }
    }

    func forget(_ selection: GuiltyInput.Selection) async throws(JournalError) {
        store.contents.withLock { $0.guilty.removeAll(where: selection.contains) }
    }

    func builds() async throws(JournalError) -> [JournalBuild] {
        try check()
        let now = store.clock.now().milliseconds
        return store.contents.withLock { contents in
            contents.served.all.map { build in
                var build = build
                build.isServing = contents.isServing(build.number, at: now)
                return build
            }
        }
    }

    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) async throws(JournalError) {
        try check()
        store.contents.withLock { $0.served.note(build, at: time, isConfirmed: isConfirmed) }
    }

    func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold] {
        try check()
        return store.contents.withLock { Array($0.holds(for: build, in: keys).prefix(limit)) }
    }

    func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int] {
        try await holds(for: build, in: JournalKey.all, limit: .max).reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    }

    func change(_ change: HoldChange) async throws(JournalError) {
        try check()
        store.contents.withLock { $0.held.apply(change) }
    }

    func backUp() async throws(JournalError) -> Backup { throw .unsupported("there is nothing to copy") }

    func close() async {}

    // MARK: Peers

    var isReachable: Bool { switches.withLock { $0.isReachable } }

    func confirm(_ key: JournalKey, upon basis: PendingCommit) -> PendingCommit {
        let confirmation = PendingCommit(in: GroupCommit())
        switches.withLock { $0.confirmations += 1 }
        run { [self] in
            let (isReachable, confirms) = switches.withLock { ($0.isReachable, $0.confirms) }
            basis.whenEnded { [self] result in
                guard confirms, case .success(let version) = result else { return confirmation.end(result) }
                guard isReachable else { return confirmation.end(.failure(.unavailable("the database is away"))) }
                let stored = store.contents.withLock { $0.records[key]?.token }
                confirmation.end(version == stored ? result : .failure(.conflict))
            }
        }
        return confirmation
    }

    func now() -> Int64? { clock?.now().milliseconds }

    var clockError: Int64 { switches.withLock { $0.clockError } }

    var lease: Int64 { store.lease(of: node) }

    var mayBeginWork: Bool { store.holdsLease(node) }

    func claim(
        under lease: Int64, dueBy time: Int64, limit: Int, except excluded: [JournalKey], for build: UInt64
    ) async throws(JournalError) -> [ClaimedWork] {
        try check()
        let isInDoubt = switches.withLock { switches in
            defer { switches.isInDoubt = false }
            return switches.isInDoubt
        }
        return store.claim(under: lease, dueBy: time, orOwned: isInDoubt, except: excluded, for: build)
    }

    func relinquish(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {
        store.contents.withLock { contents in
            for piece in pieces where contents.work[key]?[piece]?.owner == lease {
                contents.work[key]?[piece]?.owner = nil
            }
        }
    }

    func release(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {
        switches.withLock { $0.released += pieces }
        store.contents.withLock { contents in
            for piece in pieces where contents.work[key]?[piece]?.owner == lease { contents.work[key]?[piece] = nil }
        }
    }

    func learnCount() async throws(JournalError) {
        store.contents.withLock { $0.counts += 1 }
    }

    func guiltyVersion() async throws(JournalError) -> GuiltyInput.ListVersion {
        try check()
        guard switches.withLock({ $0.isLedgerReadable }) else {
            throw .unavailable("permission denied for table guilty")
        }
        return store.contents.withLock { contents in
            GuiltyInput.ListVersion(newest: contents.condemned, count: contents.guilty.inputs.count)
        }
    }

    func take(_ chore: JournalChore) async throws(JournalError) -> Bool {
        let now = store.clock.now().milliseconds
        return store.contents.withLock { contents in
            if let taken = contents.chores[chore], taken.owner != node, taken.until >= now { return false }
            contents.chores[chore] = (node, now + 60_000)
            return true
        }
    }

    func note(_ refusal: SessionRefusal) async throws(JournalError) {
        try check()
        store.contents.withLock { contents in
            contents.refusals.removeAll { $0.key == refusal.key && $0.build == refusal.build }
            contents.refusals.append(refusal)
        }
    }

    func refusals() async throws(JournalError) -> [RefusalCount] {
        let now = store.clock.now().milliseconds
        return store.contents.withLock { contents in
            let standing = contents.refusals.filter {
                contents.records[$0.key]?.rows.header.ending == nil && contents.isServing($0.writer, at: now)
            }
            return Dictionary(grouping: standing) { [$0.build, $0.writer] }.sorted { $0.key[0] < $1.key[0] }
                .map { RefusalCount(by: $0.key[0], writtenBy: $0.key[1], sessions: $0.value.count) }
        }
    }

    func add(_ listener: any JournalListener) {
        store.contents.withLock { $0.listeners.append((node, SharedStore.Listener(value: listener))) }
    }

    func nodes() async throws(JournalError) -> [JournalNode] {
        store.contents.withLock { contents in
            contents.leases.sorted { $0.key < $1.key }.map { node, lease in
                JournalNode(
                    name: "server \(node)", build: "\(contents.builds[node] ?? 0)", since: 0, until: lease.until)
            }
        }
    }
}

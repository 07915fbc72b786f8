import Synchronization
import UsherJournal

/// A journal in memory that can be told to fail, and whose commits can be held up.
final class BrittleJournal: Journal {
    let isBroken = Atomic(false)
    let isUnreadable = Atomic(false)
    /// Whether records cannot be read, and all else can.
    let failsRecords = Atomic(false)
    /// Whether answers cannot be read, and all else can.
    let failsAnswers = Atomic(false)
    /// Whether entries are found to be damaged.
    let damagesEntries = Atomic(false)
    /// Whether heads are found to be damaged.
    let damagesHeads = Atomic(false)
    /// Whether it crashes, so to speak, before secrets are erased.
    let losesErasures = Atomic(false)
    /// Whether the erasure of secrets fails, and nothing else.
    let failsErasures = Atomic(false)
    /// A Boolean value indicating whether no verdict on a session can be lifted.
    let failsLifts = Atomic(false)
    private let failures = Atomic(0)
    /// The number of records that were read whole.
    let recordReads = Atomic(0)
    /// Why changes fail.
    let failure = Mutex(JournalError.unavailable("the disk is full"))
    let memory: MemoryJournal
    private let held = Mutex<[(JournalChange, PendingCommit)]?>(nil)

    /// Creates a journal.
    ///
    /// - Parameter memory: Where the changes are stored; several servers, one after the other, may use the same.
    init(_ memory: MemoryJournal = MemoryJournal()) { self.memory = memory }

    var epoch: String? { nil }
    var count: Int { memory.count }

    /// From now on changes wait for `release`.
    func hold() {
        held.withLock { $0 = $0 ?? [] }
    }

    /// How many changes wait.
    var waiting: Int { held.withLock { $0?.count ?? 0 } }

    /// How many of them are answers alone, to inputs that were kept before.
    var waitingAnswers: Int {
        held.withLock { held in
            held?.count { change, _ in if case .complete = change.action { true } else { false } } ?? 0
        }
    }

    /// Keeps a change that waits, of which nobody hears.
    ///
    /// - Returns: The session.
    func writeWaiting() -> JournalKey? {
        guard let change = held.withLock({ $0?.first?.0 }) else { return nil }
        _ = apply(change)
        return change.key
    }

    /// Keeps the changes that wait, or fails them where it is broken.
    func release() {
        let changes = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for (change, commit) in changes {
            commit.end(apply(change))
        }
    }

    func submit(_ change: JournalChange) -> PendingCommit {
        let commit = held.withLock { held -> PendingCommit? in
            guard held != nil else { return nil }
            let commit = PendingCommit(in: GroupCommit())
            held?.append((change, commit))
            return commit
        }
        return commit ?? PendingCommit(apply(change))
    }

    /// Fails the next change alone.
    func failOnce() {
        failures.store(1, ordering: .relaxed)
    }

    private func apply(_ change: JournalChange) -> CommitResult {
        if let failure = change.basis.failure { return .failure(failure) }
        if case .erase = change.action {
            if losesErasures.load(ordering: .relaxed) { return .success(nil) }
            if failsErasures.load(ordering: .relaxed) { return .failure(failure.withLock { $0 }) }
        }
        if isBroken.load(ordering: .relaxed) || failures.exchange(0, ordering: .relaxed) > 0 {
            return .failure(failure.withLock { $0 })
        }
        return memory.submit(change).result ?? .success(nil)
    }

    /// A read sees what was submitted before it.
    private func check() async throws(JournalError) {
        await held.withLock { $0?.last?.1 }?.wait()
        if isUnreadable.load(ordering: .relaxed) { throw .unavailable("the disk is gone") }
    }

    func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try await check()
        if failsRecords.load(ordering: .relaxed) { throw .unavailable("the sector is gone") }
        recordReads.add(1, ordering: .relaxed)
        if damagesEntries.load(ordering: .relaxed) { throw .corrupt(.checksum) }
        return try memory.record(of: key)
    }

    func creation(of key: JournalKey) async throws(JournalError) -> Entry? {
        try await check()
        return try memory.record(of: key)?.entries.first
    }

    func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await check()
        if damagesHeads.load(ordering: .relaxed) { throw .corrupt(.checksum) }
        return memory.head(of: key)
    }

    func answer(under idempotencyKey: String, of key: JournalKey) async throws(JournalError) -> KeyedAnswer? {
        try await check()
        if failsAnswers.load(ordering: .relaxed) { throw .unavailable("the sector is gone") }
        return try memory.answer(under: idempotencyKey, of: key)
    }

    func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await check()
        return memory.opening(under: idempotencyKey)
    }

    func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        try await check()
        return memory.sessions(matching: query)
    }

    func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await check()
        return memory.count(matching: query, limit: limit)
    }

    func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await check()
        return memory.idle(since: time, limit: limit)
    }

    func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession] {
        try await check()
        return memory.due(by: time, after: place, limit: limit, for: build)
    }

    func residue() async throws(JournalError) -> Int {
        try await check()
        return memory.residue()
    }

    func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int {
        try await check()
        return memory.purge(endedBefore: time, limit: limit)
    }

    func add(_ input: GuiltyInput) async throws(JournalError) {
        try await check()
        if isBroken.load(ordering: .relaxed) { throw .unavailable("the disk is full") }
        memory.add(input)
    }

    func guiltyInputs() async throws(JournalError) -> [GuiltyInput] {
        try await check()
        return memory.guiltyInputs()
    }

    func forget(_ selection: GuiltyInput.Selection) async throws(JournalError) {
        try await check()
        memory.forget(selection)
    }

    func builds() async throws(JournalError) -> [JournalBuild] {
        try await check()
        return memory.builds()
    }

    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) async throws(JournalError) {
        try await check()
        memory.note(build, at: time, isConfirmed: isConfirmed)
    }

    func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold] {
        try await check()
        return memory.holds(for: build, in: keys, limit: limit)
    }

    func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int] {
        try await check()
        return memory.holdCounts(for: build)
    }

    func change(_ change: HoldChange) async throws(JournalError) {
        if failsLifts.load(ordering: .relaxed), case .lift = change { throw .unavailable("the disk is full") }
        try await check()
        if isBroken.load(ordering: .relaxed) { throw .unavailable("the disk is full") }
        memory.change(change)
    }

    func backUp() async throws(JournalError) -> Backup {
        throw .unsupported("there is nothing to copy")
    }

    /// From now on, no change or read succeeds, so that work of a stopped server changes nothing.
    func close() async {
        isBroken.store(true, ordering: .relaxed)
        isUnreadable.store(true, ordering: .relaxed)
    }
}

import Synchronization

@testable import UsherJournal

/// A storage in a dictionary, which is the minimum that a back end needs.
///
/// It follows a test's script, and records the calls.
final class DictionaryStorage: TransactionalStorage {
    /// The script and the recorded calls, which can be used while the journal's thread uses the storage.
    final class Script: Sendable {
        /// The number of following commits that fail.
        let failures = Atomic(0)
        /// The number of times that the next groups must be repeated.
        let repetitions = Atomic(0)
        /// The time when maintenance is due; none if it is below zero.
        let maintenance = Atomic(Int64(-1))
        private let calls = Mutex<[String]>([])
        private let reader = Mutex<@Sendable (Int) -> Void>({ _ in })

        /// Sets a closure that is called on the journal's thread with the last revision of each slice that is read.
        func whenRead(_ body: @escaping @Sendable (Int) -> Void) { reader.withLock { $0 = body } }

        fileprivate func didRead(_ revision: Int) { reader.withLock(\.self)(revision) }

        var said: [String] { calls.withLock { $0 } }

        fileprivate func say(_ call: String) { calls.withLock { $0.append(call) } }

        fileprivate static func takes(one number: borrowing Atomic<Int>) -> Bool {
            guard number.load(ordering: .relaxed) > 0 else { return false }
            number.subtract(1, ordering: .relaxed)
            return true
        }
    }

    private struct Contents {
        var records: [JournalKey: MemoryRecord] = [:]
        var openings: [String: KeyedOpening] = [:]
        var guilty = GuiltyInputList()
        var served = JournalBuildList()
        var held = HoldList()
    }

    private let script: Script
    private var contents = Contents()
    private var before = Contents()
    private(set) var written: Int64 = 0

    init(_ script: Script = Script()) {
        self.script = script
    }

    func begin() throws(JournalError) {
        script.say("begin")
        before = contents
    }

    func apply(_ change: JournalChange) throws(JournalError) {
        let key = change.key
        guard contents.records[key] == nil else {
            _ = try contents.records[key]?.apply(change)
            return written += 1
        }
        guard case .begin(let header, let entries, let opening) = try change.update(upon: .missing) else { return }
        written += 1
        contents.records[key] = MemoryRecord(header, entries: entries, opening: opening)
        guard let opening else { return }
        guard contents.openings[opening.key] == nil else { throw .conflict }
        contents.openings[opening.key] = KeyedOpening(session: key, answer: opening)
    }

    func finishGroup() throws(JournalError) -> Bool {
        !Script.takes(one: script.repetitions)
    }

    func commit() throws(JournalError) {
        if Script.takes(one: script.failures) { throw .unavailable("the dictionary is full") }
        script.say("commit")
    }

    func rollBack() {
        script.say("roll back")
        contents = before
    }

    func outline(of key: JournalKey) -> RecordOutline? { contents.records[key]?.outline }

    func entries(of key: JournalKey, after revision: Int) -> [[UInt8]] {
        let slice = contents.records[key]?.entries(after: revision, limit: 4) ?? []
        if !slice.isEmpty { script.didRead(revision + slice.count) }
        return slice
    }

    func header(of key: JournalKey) -> SessionHeader? { contents.records[key]?.header }

    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        try contents.records[key]?.answer(under: idempotencyKey, of: key)
    }

    func opening(under idempotencyKey: String) -> KeyedOpening? { contents.openings[idempotencyKey] }

    func sessions(matching query: SessionQuery) -> [FoundSession] {
        query.select(
            from: contents.records.map { FoundSession(listing($0.key, $0.value), touched: $0.value.touched) })
    }

    func count(matching query: SessionQuery, limit: Int) -> Int {
        sessions(matching: query.fromTheFirst(limit: limit)).count
    }

    func idle(since time: Int64, limit: Int) -> [SessionListing] {
        live().filter { $0.value.touched <= time }.sorted { $0.value.touched < $1.value.touched }
            .prefix(limit).map(listing)
    }

    func due(by time: Int64, after place: DueSession?, limit: Int, for build: UInt64) -> [DueSession] {
        let held = Set(standingHolds(for: build).map(\.key))
        let due = live().filter { !held.contains($0.key) }.compactMap { DueSession($0.value.header, $0.key) }
        return DueSession.page(of: due, by: time, after: place, limit: limit)
    }

    var residue: Int { contents.records.values.reduce(0) { $0 + $1.residue } }

    func purge(endedBefore time: Int64, limit: Int) throws(JournalError) -> Int {
        try transaction { () throws(JournalError) in
            let ended = contents.records.filter { $0.value.header.ending.map { $0.time < time } ?? false }
            let over = ended.sorted { ($0.value.header.ending?.time ?? 0) < ($1.value.header.ending?.time ?? 0) }
                .prefix(limit)
            for (key, record) in over {
                contents.records[key] = nil
                if let key = record.openingKey { contents.openings[key] = nil }
                contents.guilty.removeAll { $0.identity.session == key }
            }
            return over.count
        }
    }

    func add(_ input: GuiltyInput) throws(JournalError) {
        try transaction { () throws(JournalError) in contents.guilty.add(input) }
    }

    func guiltyInputs() -> [GuiltyInput] { contents.guilty.inputs }

    func forget(_ selection: GuiltyInput.Selection) throws(JournalError) {
        try transaction { () throws(JournalError) in contents.guilty.removeAll(where: selection.contains) }
    }

    func builds() -> [JournalBuild] { contents.served.all }

    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) throws(JournalError) {
        try transaction { () throws(JournalError) in contents.served.note(build, at: time, isConfirmed: isConfirmed) }
    }

    func holds(for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int) -> [SessionHold] {
        Array(standingHolds(for: build, in: keys).prefix(limit))
    }

    func holdCounts(for build: UInt64) -> [String: Int] {
        standingHolds(for: build).reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    }

    func change(_ change: HoldChange) throws(JournalError) {
        try transaction { () throws(JournalError) in contents.held.apply(change) }
    }

    private func standingHolds(
        for build: UInt64, in keys: ClosedRange<JournalKey> = JournalKey.all
    ) -> [SessionHold] {
        contents.held.standing(for: build, in: keys) { contents.records[$0].map { RecordHead($0.header) } }
    }

    func backUp(at time: Int64, then end: @escaping @Sendable (Result<Backup, JournalError>) -> Void) {
        end(.success(Backup(path: "at \(time)", size: contents.records.count)))
    }

    var maintenanceDue: Int64? {
        let time = script.maintenance.load(ordering: .relaxed)
        return time < 0 ? nil : time
    }

    func maintain(isIdle: Bool) {
        script.say(isIdle ? "maintain, idle" : "maintain")
        if isIdle { script.maintenance.store(-1, ordering: .relaxed) }
    }

    func close() {
        script.say("close")
    }

    private func live() -> [(key: JournalKey, value: MemoryRecord)] {
        contents.records.filter { $0.value.header.ending == nil }.map { ($0.key, $0.value) }
    }

    private func listing(_ key: JournalKey, _ record: MemoryRecord) -> SessionListing {
        SessionListing(key: key, head: record.header)
    }
}

extension BatchedJournal {
    private struct NoThread: Error {}

    /// Creates a journal on a storage in a dictionary.
    static func inDictionary(
        _ script: DictionaryStorage.Script = DictionaryStorage.Script(), _ durability: Durability = .sync,
        isReadOnly: Bool = false, now: @escaping @Sendable () -> Int64 = { 0 },
        didCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> BatchedJournal {
        let journal = BatchedJournal(
            DictionaryStorage(script), holding: 0, durability: durability, isReadOnly: isReadOnly, now: now,
            didCommit: didCommit)
        guard let journal else { throw NoThread() }
        return journal
    }
}

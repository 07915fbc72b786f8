@testable import UsherJournal

/// A simulated disk in dictionaries, whose commits are atomic.
final class DictionaryDisk: SimulatedDisk {
    fileprivate struct Contents {
        var records: [JournalKey: MemoryRecord] = [:]
        var openings: [String: KeyedOpening] = [:]
        var guilty = GuiltyInputList()
        var served = JournalBuildList()
        var held = HoldList()
    }

    fileprivate let scheduler: Scheduler
    fileprivate let bug: PlantedBug?
    fileprivate var durable = Contents()
    /// The records before their last change, for a planted bug.
    fileprivate var earlier: [JournalKey: MemoryRecord] = [:]
    fileprivate var isFailing = false
    private var beforeCommit = Contents()

    init(_ scheduler: Scheduler, bug: PlantedBug?) {
        self.scheduler = scheduler
        self.bug = bug
    }

    func open() -> (storage: any JournalStorage, count: Int) {
        (DictionaryDiskStorage(self), durable.records.values.count { $0.header.ending == nil })
    }

    func fail() { isFailing = true }

    func mend() { isFailing = false }

    func beginCommit() { beforeCommit = durable }

    func lose(isCommitting: Bool) {
        if isCommitting, scheduler.oneIn(2) { durable = beforeCommit }
    }
}

/// The storage of a process on a disk in dictionaries.
private final class DictionaryDiskStorage: TransactionalStorage {
    private let disk: DictionaryDisk
    private var contents: DictionaryDisk.Contents
    private var before: DictionaryDisk.Contents
    private(set) var written: Int64 = 0

    init(_ disk: DictionaryDisk) {
        self.disk = disk
        contents = disk.durable
        before = disk.durable
    }

    func begin() { before = contents }

    func apply(_ change: JournalChange) throws(JournalError) {
        let key = change.key
        guard contents.records[key] == nil else {
            if disk.bug == .staleRecord { disk.earlier[key] = contents.records[key] }
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

    func finishGroup() -> Bool { true }

    func commit() throws(JournalError) {
        guard !disk.isFailing else { throw .unavailable("the simulated disk has failed") }
        disk.durable = disk.bug == .lostCommit ? before : contents
    }

    func rollBack() { contents = before }

    func outline(of key: JournalKey) -> RecordOutline? {
        if disk.bug == .staleRecord, let stale = disk.earlier[key], disk.scheduler.oneIn(4) { return stale.outline }
        return contents.records[key]?.outline
    }

    /// Returns a short slice of entries, so that other work can run between slices.
    func entries(of key: JournalKey, after revision: Int) -> [[UInt8]] {
        contents.records[key]?.entries(after: revision, limit: 4) ?? []
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
        live.filter { $0.value.touched <= time }.sorted { $0.value.touched < $1.value.touched }.prefix(limit)
            .map(listing)
    }

    func due(by time: Int64, after place: DueSession?, limit: Int, for build: UInt64) -> [DueSession] {
        let held = Set(standingHolds(for: build).map(\.key))
        let due = live.filter { !held.contains($0.key) }.compactMap { DueSession($0.value.header, $0.key) }
        return DueSession.page(of: due, by: time, after: place, limit: limit)
    }

    var residue: Int { contents.records.values.reduce(0) { $0 + $1.residue } }

    func purge(endedBefore time: Int64, limit: Int) throws(JournalError) -> Int {
        try transaction { () throws(JournalError) in
            let over = ended(before: time).prefix(limit)
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
        end(.failure(.unsupported("a disk in dictionaries has no files")))
    }

    var maintenanceDue: Int64? { nil }

    func maintain(isIdle: Bool) {}

    func close() {}

    /// The live records in the order of their keys, because a schedule must not depend on a dictionary's order.
    private var live: [(key: JournalKey, value: MemoryRecord)] {
        contents.records.filter { $0.value.header.ending == nil }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the ended records in the order of their ends.
    private func ended(before time: Int64) -> [(key: JournalKey, value: MemoryRecord)] {
        contents.records.compactMap { key, record in
            record.header.ending.flatMap { $0.time < time ? ($0.time, key, record) : nil }
        }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { ($0.1, $0.2) }
    }

    private func listing(_ key: JournalKey, _ record: MemoryRecord) -> SessionListing {
        SessionListing(key: key, head: record.header)
    }
}

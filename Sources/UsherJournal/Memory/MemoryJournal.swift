import Synchronization

/// A journal in memory, whose contents are lost when the process ends.
package final class MemoryJournal: Journal {
    private let shards: [MemoryShard]
    private let openings = Mutex<[String: KeyedOpening]>([:])
    private let guilty = Mutex(GuiltyInputList())
    private let served = Mutex(JournalBuildList())
    private let held = Mutex(HoldList())
    private let live = Atomic(0)

    private static let shardBits: UInt64 = 6

    /// Nil, because no acknowledged change is lost while the process runs.
    package var epoch: String? { nil }

    /// Creates an empty journal.
    ///
    /// - Parameters:
    ///   - endedLimit: The maximum number of ended sessions to store. The sessions that ended last stay.
    ///   - residueLimit: The maximum number of bytes that ended sessions may use.
    package init(endedLimit: Int = 65_536, residueLimit: Int = 64 << 20) {
        shards = (0..<(1 << Self.shardBits)).map { _ in
            MemoryShard(endedLimit: endedLimit >> Self.shardBits, residueLimit: residueLimit >> Self.shardBits)
        }
    }

    /// Writes the change immediately.
    package func submit(_ change: JournalChange) -> PendingCommit {
        guard !change.basis.hasFailed else { return change.basis }
        do throws(JournalError) {
            let consequences = try apply(change)
            if consequences.growth != 0 {
                live.add(consequences.growth, ordering: .relaxed)
                if consequences.growth < 0 { held.withLock { $0.remove(change.key) } }
            }
            forget(consequences.forgotten)
            return .done
        } catch {
            return PendingCommit(.failure(error))
        }
    }

    private func apply(_ change: JournalChange) throws(JournalError) -> MemoryShard.Consequences {
        let shard = shard(of: change.key)
        guard case .create(_, _, let answer?) = change.action else { return try shard.apply(change) }
        return try openings.withLock { openings throws(JournalError) in
            guard openings[answer.key] == nil else { throw .conflict }
            let consequences = try shard.apply(change)
            openings[answer.key] = KeyedOpening(session: change.key, answer: answer)
            return consequences
        }
    }

    package func record(of key: JournalKey) throws(JournalError) -> SessionRecord? {
        try shard(of: key).session(key)?.record(of: key)
    }

    package func head(of key: JournalKey) -> RecordHead? {
        shard(of: key).session(key).map { RecordHead($0.header) }
    }

    package func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        try shard(of: key).session(key)?.answer(under: idempotencyKey, of: key)
    }

    package func opening(under idempotencyKey: String) -> KeyedOpening? {
        openings.withLock { $0[idempotencyKey] }
    }

    package var count: Int { live.load(ordering: .relaxed) }

    /// Returns a page of the sessions that match a query; reads all sessions, or only those of the query's subject.
    package func sessions(matching query: SessionQuery) -> [FoundSession] {
        query.select(from: shards.lazy.flatMap { $0.found(by: query) })
    }

    package func count(matching query: SessionQuery, limit: Int) -> Int {
        sessions(matching: query.fromTheFirst(limit: limit)).count
    }

    package func idle(since time: Int64, limit: Int) -> [SessionListing] {
        shards.flatMap { $0.idle(since: time, limit: limit) }
            .sorted { $0.value.touched < $1.value.touched }.prefix(max(0, limit)).map(MemoryShard.listing)
    }

    package func due(by time: Int64, after place: DueSession?, limit: Int, for build: UInt64) -> [DueSession] {
        let held = Set(standingHolds(for: build).map(\.key))
        let due = shards.lazy.flatMap(\.due).filter { !held.contains($0.key) }
        return DueSession.page(of: due, by: time, after: place, limit: limit)
    }

    package func residue() -> Int {
        shards.reduce(0) { $0 + $1.residue }
    }

    package func purge(endedBefore time: Int64, limit: Int) -> Int {
        let ends = shards.indices.flatMap { index in
            shards[index].ends(before: time, limit: limit).map { (shard: index, time: $0) }
        }
        var counts = [Int](repeating: 0, count: shards.count)
        for end in ends.sorted(by: { $0.time < $1.time }).prefix(max(0, limit)) { counts[end.shard] += 1 }
        let forgotten = zip(shards, counts).flatMap { $0.purge(endedBefore: time, limit: $1) }
        forget(forgotten.compactMap(\.1.openingKey))
        let keys = Set(forgotten.map(\.0))
        guilty.withLock { $0.removeAll { $0.identity.session.map(keys.contains) ?? false } }
        return forgotten.count
    }

    /// Adds a guilty input, which is lost when the process ends.
    package func add(_ input: GuiltyInput) {
        guilty.withLock { $0.add(input) }
    }

    package func guiltyInputs() -> [GuiltyInput] {
        guilty.withLock(\.inputs)
    }

    package func forget(_ selection: GuiltyInput.Selection) {
        guilty.withLock { $0.removeAll(where: selection.contains) }
    }

    /// Returns the builds that have used the journal in this process.
    package func builds() -> [JournalBuild] {
        served.withLock(\.all)
    }

    package func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) {
        served.withLock { $0.note(build, at: time, isConfirmed: isConfirmed) }
    }

    package func holds(for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int) -> [SessionHold] {
        Array(standingHolds(for: build, in: keys).prefix(max(0, limit)))
    }

    package func holdCounts(for build: UInt64) -> [String: Int] {
        standingHolds(for: build).reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    }

    /// Changes the verdicts, which are lost when the process ends.
    package func change(_ change: HoldChange) {
        held.withLock { $0.apply(change) }
    }

    private func standingHolds(
        for build: UInt64, in keys: ClosedRange<JournalKey> = JournalKey.all
    ) -> [SessionHold] {
        held.withLock(\.self).standing(for: build, in: keys) { head(of: $0) }
    }

    /// Throws an error, because there is nothing on a disk to copy.
    package func backUp() throws(JournalError) -> Backup {
        throw .unsupported("this server keeps its journal in memory; start it with --journal sqlite:PATH to back it up")
    }

    package func close() {}

    private func forget(_ openingKeys: [String]) {
        guard !openingKeys.isEmpty else { return }
        openings.withLock { openings in for key in openingKeys { openings[key] = nil } }
    }

    private func shard(of key: JournalKey) -> MemoryShard {
        shards[Int(Self.index(key))]
    }

    private static func index(_ key: JournalKey) -> UInt64 {
        key.high >> (64 - shardBits)
    }
}

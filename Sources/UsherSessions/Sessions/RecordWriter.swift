import Usher
import UsherJSON
import UsherJournal

/// The end of a session's record: the header, the newest change, and the keys of stored answers.
///
/// Each change depends on the previous one. If the newest change succeeds, all earlier changes have succeeded. If any
/// change fails, the newest change fails.
///
/// The type is not copyable, because otherwise every use would copy it.
struct RecordWriter: ~Copyable {
    let id: SessionID
    private let settings: SessionSettings
    private(set) var header: SessionHeader
    let lineage = Lineage()
    /// The commit of the newest change; before the first change, it contains the version of the record that was read.
    private(set) var newest: PendingCommit
    /// The stored answers; `nil` before the first request with a key.
    private var kept: KeptAnswers?
    /// A Boolean value that indicates whether this build wrote the newest entry; the next entry then names no build.
    private var isOwn: Bool
    private(set) var quota: InputQuota
    /// The resumption that the next change writes; `nil` in almost every session.
    private var beginning: UnwrittenResumption?

    /// Creates a writer at the end of a record.
    init(_ head: RecordHead, of id: SessionID, settings: SessionSettings, answers: [KeyedAnswer], isOwn: Bool) {
        header = head.header
        quota = InputQuota(noting: settings.bounds, in: &header)
        newest = PendingCommit(.success(head.token))
        self.id = id
        self.settings = settings
        self.isOwn = isOwn
        kept = .of(answers, limit: settings.bounds.answerLimit)
    }

    /// The time for the next input, which never decreases on a shared journal, even if the servers' clocks differ.
    var now: Timestamp {
        let now = settings.clock.now()
        return settings.isShared ? Timestamp(milliseconds: max(now.milliseconds, header.time)) : now
    }

    /// A Boolean value that indicates whether all writes have completed.
    var isSettled: Bool { newest.result != nil }

    /// Returns an answer that depends on a change, or that shows only the current state if `change` is `nil`.
    func pending<Value>(
        _ result: Result<Value, SessionError>, upon change: PendingCommit? = nil
    ) -> PendingAnswer<Value> {
        PendingAnswer(result, if: change == nil ? .state : .change, upon: change ?? newest, of: lineage)
    }

    var ending: PendingAnswer<Never>? {
        Tombstone(header).map { pending(.failure(.ended($0))) }
    }

    /// Returns the lookup that must be made in the journal for a key; `nil` if the journal is known to contain no
    /// answer for the key.
    func lookup(of key: IdempotencyKey, after lookup: KeyLookup?) -> KeyLookup? {
        guard let kept, kept.mayContain(key.text) else { return nil }
        let current = KeyLookup(lineage: lineage, answers: header.answers)
        return lookup == current ? nil : current
    }

    // MARK: Writing

    /// Writes a new session.
    mutating func create(
        _ entries: [[UInt8]], opening: KeyedAnswer?, leaked: Int, wakeAt: Int64?, beginning begun: [BegunWork]
    ) {
        header.wakeAt = wakeAt
        header.leaked = leaked
        submit(.create(header, entries: entries, opening: opening), beginning: begun)
    }

    /// Updates the header after an input that the tree has handled, and returns the bytes of the input's entry.
    ///
    /// `identifiers` are the tree's free ids before the input, and `writer` contains the input's payload.
    mutating func advance(
        by input: Input, on tree: Tree, from identifiers: NextIdentifiers, erased isErased: Bool,
        with writer: inout JSONWriter
    ) -> [UInt8] {
        var secrets: [Range<Int>] = []
        if !tree.inputSecrets.isEmpty {
            writer.bytes.removeAll(keepingCapacity: true)
            secrets = input.writePayload(tree.inputSecrets, into: &writer)
        }
        let entry = Entry(
            input.entryKind, revision: tree.revision, time: input.time.milliseconds, before: .init(identifiers),
            after: .init(tree.identifiers), digest: tree.digest, visible: tree.visibleScreen, payload: writer.bytes,
            facts: StepFacts.json(of: tree, build: isOwn ? nil : settings.guilty.build()), secrets: secrets)
        isOwn = true
        // The recorded number never decreases, even if a later build leaks nothing.
        header.leaked = max(header.leaked, tree.coordinatorCounts.leaked)
        return advance(to: isErased ? entry.erased : entry, wakeAt: tree.wakeAt)
    }

    /// Updates the header for a new history, and returns the bytes of the history's first entry.
    mutating func startOver(
        with beginning: NewBeginning, on tree: Tree, at time: Timestamp, erased isErased: Bool
    ) -> [UInt8] {
        let creation = Creation(beginning, on: tree, at: time, in: header)
        let entry = creation.entry(leadingTo: tree, by: settings.guilty.build(), erased: isErased)
        isOwn = true
        (header.revision, header.bytes) = (entry.revision, 0)
        header.history.start = entry.revision
        quota = InputQuota(noting: settings.bounds, in: &header)
        header.leaked = max(header.leaked, tree.coordinatorCounts.leaked)
        return advance(to: entry, wakeAt: tree.wakeAt)
    }

    /// Updates the header for an entry, and returns the entry's bytes.
    private mutating func advance(to entry: Entry, wakeAt: Int64?) -> [UInt8] {
        let bytes = entry.bytes(of: id.journalKey)
        header.revision = entry.revision
        // A divergence is not an input, so its time does not count as a use of the session.
        if entry.kind != .divergence { header.time = entry.time }
        header.bytes += bytes.count
        header.wakeAt = wakeAt
        return bytes
    }

    /// A Boolean value indicating whether the next change writes a resumption.
    var isResuming: Bool { beginning != nil }

    /// Updates the header for a resumption, which the next change writes.
    mutating func resume(by resumption: UnwrittenResumption, wakeAt: Int64?) {
        resumption.entries = [advance(to: resumption.entry, wakeAt: wakeAt)]
        beginning = resumption
        isOwn = true
    }

    /// Adds the entry of a timer, which the next change writes together with the resumption.
    mutating func add(_ entry: [UInt8]) { beginning?.entries.append(entry) }

    /// Writes the resumption together with the timers; `begun` is all pending work.
    mutating func writeResumption(beginning begun: [BegunWork]) {
        guard let part = takeBeginning() else { return }
        submit(.extend(header, entries: part.entries, answer: nil), beginning: begun, unlessServedBy: part.rival)
        erase(part.abandoned)
    }

    /// Returns the resumption that the next change must write, and removes it from the writer.
    private mutating func takeBeginning() -> UnwrittenResumption? {
        guard let part = beginning else { return nil }
        beginning = nil
        settings.releases.removeUnwritten(id)
        return part
    }

    /// Writes which ids clients see in an unwritten resumption, unless the record already contains these ids.
    ///
    /// The write fails while the build `writer` is running.
    mutating func reserve(_ reservation: SessionHeader.Reservation, unlessServedBy writer: UInt64?) {
        guard header.reservation != reservation else { return }
        header.reservation = reservation
        submit(.grant(header), unlessServedBy: writer)
    }

    /// Writes the results of an input as one change, and returns the change's commit.
    ///
    /// `entry` is `nil` if the input created no revision. `size` is the size of the answer's body in bytes, even if the
    /// body is not complete yet.
    mutating func write(
        _ entry: consuming [UInt8]?, startsOver: Bool, ending: SessionEnding?, at time: Timestamp,
        answer: KeyedAnswer?, size: Int = 0,
        beginning begun: [BegunWork] = []
    ) -> PendingCommit {
        if answer != nil { header.answers += 1 }
        let part = takeBeginning()
        if let ending {
            // Deletes old answers' bodies before the end, because a change after the end would never be attempted
            // again.
            if let answer { keep(answer, size) }
            return end(ending, at: time, answer: answer, unlessServedBy: part?.rival)
        }
        defer { if let answer { keep(answer, size) } }
        if let part, !startsOver {
            let entries = part.entries + [entry].compactMap(\.self)
            let commit = submit(
                .extend(header, entries: entries, answer: answer), beginning: begun, unlessServedBy: part.rival)
            erase(part.abandoned)
            return commit
        } else if let entry {
            return submit(
                startsOver
                    ? .startOver(header, entry: entry, answer: answer)
                    : .append(header, entry: entry, answer: answer), beginning: begun, unlessServedBy: part?.rival)
        } else if let answer {
            return submit(.keep(header, answer: answer))
        }
        return newest
    }

    /// Writes a change of the session's tokens, and returns the change's commit.
    ///
    /// - Throws: `Rejection` if the change is not possible; nothing is written then.
    mutating func grant(_ change: TokenChange) throws(Rejection) -> PendingCommit {
        header.access = try change.applied(to: header.access)
        return submit(.grant(header))
    }

    /// Writes the session's end, and returns the change's commit.
    ///
    /// The end fails if the journal knows a use after the time `use`, in milliseconds since 1970. It also fails while
    /// the build `writer` is running.
    @discardableResult
    mutating func end(
        _ ending: SessionEnding, at time: Timestamp, unlessUsedSince use: Int64? = nil, answer: KeyedAnswer? = nil,
        unlessServedBy writer: UInt64? = nil
    ) -> PendingCommit {
        header = header.ended(ending, at: time)
        return submit(.end(header, answer: answer, untouchedSince: use), unlessServedBy: writer)
    }

    /// Erases secrets that replay no longer needs.
    ///
    /// Does nothing after the session's end, because the end deletes all entries. If the erasure fails, the tree is
    /// dropped, and the next tree erases the secrets.
    mutating func erase(_ revisions: [Int]) {
        guard header.ending == nil else { return }
        for revision in revisions { submit(.erase(revision: revision)) }
    }

    /// Notes a stored answer, and deletes the bodies of the oldest answers if all bodies together exceed their limit.
    private mutating func keep(_ answer: KeyedAnswer, _ size: Int) {
        let kept = kept ?? KeptAnswers(limit: settings.bounds.answerLimit)
        self.kept = kept
        for outgrown in kept.add(answer, size) { submit(.complete(outgrown)) }
    }

    @discardableResult
    private mutating func submit(
        _ action: consuming JournalChange.Action, beginning begun: [BegunWork] = [], unlessServedBy rival: UInt64? = nil
    ) -> PendingCommit {
        newest = settings.journal.submit(
            JournalChange(action, of: id.journalKey, upon: newest, beginning: begun, unlessServedBy: rival))
        return newest
    }
}

/// A resumption at an earlier revision that is not written yet.
///
/// A class, because unwritten resumptions are rare, but every input and every change checks whether there is one.
final class UnwrittenResumption {
    /// The entry that records the divergence.
    let entry: Entry
    /// The revisions of inputs with secrets that no build will replay once the entry is written.
    let abandoned: [Int]
    /// The build that must not be running when the entry is written; `nil` for no such condition.
    let rival: UInt64?
    /// The epoch, which distinguishes this state from the states of other builds and of this build's other replays.
    let mark: String
    /// A Boolean value indicating whether due timers are handled before the first input.
    let firesTimers: Bool
    /// The entries that the next change writes before its own entry: the resumption's entry, then the timers' entries.
    fileprivate var entries: [[UInt8]] = []

    init(_ entry: Entry, abandoned: [Int], rival: UInt64?, mark: String, firesTimers: Bool) {
        self.entry = entry
        self.abandoned = abandoned
        self.rival = rival
        self.mark = mark
        self.firesTimers = firesTimers
    }
}

/// A lookup of an idempotency key in the journal that found no answer.
///
/// The result is valid only for one tree, and only until this tree writes another answer. After a rebuild, the journal
/// may contain an answer.
struct KeyLookup: Equatable, Sendable {
    let lineage: Lineage
    let answers: Int
}

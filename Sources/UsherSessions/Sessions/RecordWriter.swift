import Usher
import UsherJSON
import UsherJournal

/// The end of one session's record, to which its tree writes: the header, the newest change, and the keys of answers.
///
/// Each change builds on the one before. So once the newest has happened, all have; and if any fails, the newest does too.
///
/// Not copyable: each use of one would pay for it.
struct RecordWriter: ~Copyable {
    /// The session.
    let id: SessionID
    private let settings: SessionSettings
    private(set) var header: SessionHeader
    /// The lineage of the tree.
    let lineage = Lineage()
    /// The newest change; before there is one, the version of the record that was read.
    private(set) var newest: PendingCommit
    /// nil where no request had a key.
    private var kept: KeptAnswers?
    /// A Boolean value indicating whether this build wrote the newest entry, so that the next need not name it.
    private var isOwn: Bool
    /// The quota of its inputs.
    private(set) var quota: InputQuota
    /// The entries that are written with the next change; nil if there are none, as in almost every session.
    private var beginning: ResumedPart?

    /// Goes on at the end of a record.
    ///
    /// - Parameters:
    ///   - head: The record's header and version.
    ///   - id: The session.
    ///   - answers: The answers to keys that the record has.
    ///   - isOwn: Set if this build wrote its newest entry.
    init(_ head: RecordHead, of id: SessionID, settings: SessionSettings, answers: [KeyedAnswer], isOwn: Bool) {
        header = head.header
        quota = InputQuota(noting: settings.bounds, in: &header)
        newest = PendingCommit(.success(head.token))
        self.id = id
        self.settings = settings
        self.isOwn = isOwn
        kept = .of(answers, limit: settings.bounds.answerLimit)
    }

    /// The time of the next input; where several servers write, it never goes back in a session, whatever their clocks say.
    var now: Timestamp {
        let now = settings.clock.now()
        return settings.isShared ? Timestamp(milliseconds: max(now.milliseconds, header.time)) : now
    }

    /// A Boolean value indicating whether nothing has to be waited for.
    var isSettled: Bool { newest.result != nil }

    /// An answer that shows the record as it stands, or the outcome of a change.
    ///
    /// - Parameters:
    ///   - result: The value or the error.
    ///   - change: The commit of the change; nil if the answer is to none.
    func pending<Value>(
        _ result: Result<Value, SessionError>, upon change: PendingCommit? = nil
    ) -> PendingAnswer<Value> {
        PendingAnswer(result, if: change == nil ? .state : .change, upon: change ?? newest, of: lineage)
    }

    /// The answer to every later request, where the session has ended.
    var ending: PendingAnswer<Never>? {
        Tombstone(header).map { pending(.failure(.ended($0))) }
    }

    /// A look-up that has to be made for a key; nil where it has no answer.
    ///
    /// - Parameters:
    ///   - key: The client's key.
    ///   - lookup: The look-up that found no answer to it.
    func lookup(of key: IdempotencyKey, after lookup: KeyLookup?) -> KeyLookup? {
        guard let kept, kept.mayContain(key.text) else { return nil }
        let current = KeyLookup(lineage: lineage, answers: header.answers)
        return lookup == current ? nil : current
    }

    // MARK: Writing

    /// Writes the session's beginning.
    ///
    /// - Parameters:
    ///   - entries: Its first entries.
    ///   - opening: The answer under the key with which it was opened.
    ///   - leaked: The number of its leaks.
    ///   - wakeAt: The time at which the session has something to do without being asked.
    ///   - begun: The work that begins with it, where several servers may run it.
    mutating func create(
        _ entries: [[UInt8]], opening: KeyedAnswer?, leaked: Int, wakeAt: Int64?, beginning begun: [BegunWork]
    ) {
        header.wakeAt = wakeAt
        header.leaked = leaked
        submit(.create(header, entries: entries, opening: opening), beginning: begun)
    }

    /// Takes an input into the header that the tree has handled.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - tree: The tree.
    ///   - identifiers: The tree's free ids before.
    ///   - isErased: Set where its secrets are not to be written.
    ///   - writer: A writer that has the payload; it is written again where there are secrets in it.
    /// - Returns: Its entry's bytes, to be written with the answer that shows it.
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
        // A later build that leaks nothing does not undo it.
        header.leaked = max(header.leaked, tree.coordinatorCounts.leaked)
        return advance(to: isErased ? entry.erased : entry, wakeAt: tree.wakeAt)
    }

    /// Takes the beginning of a new history into the header.
    ///
    /// - Parameters:
    ///   - beginning: The history.
    ///   - tree: The tree, which has begun it.
    ///   - time: The time of the input that led there.
    /// - Returns: The bytes of its first entry.
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

    /// Takes an entry into the header.
    ///
    /// - Returns: The entry's bytes, to be written with the answer that shows it.
    private mutating func advance(to entry: Entry, wakeAt: Int64?) -> [UInt8] {
        let bytes = entry.bytes(of: id.journalKey)
        header.revision = entry.revision
        // A divergence is nobody's input: the session has not been used.
        if entry.kind != .divergence { header.time = entry.time }
        header.bytes += bytes.count
        header.wakeAt = wakeAt
        return bytes
    }

    /// A Boolean value indicating whether the next change writes a resumption.
    var isResuming: Bool { beginning != nil }

    /// Takes a resumption into the header: the next change writes it.
    ///
    /// - Parameters:
    ///   - entry: The entry of the resumption.
    ///   - abandoned: The inputs with secrets that no build replays once it is written.
    ///   - wakeAt: The time at which the session has something to do without being asked.
    ///   - writer: The build that wrote the record, if it must not be running; nil if it may.
    mutating func resume(by entry: Entry, abandoned: [Int], wakeAt: Int64?, unlessServedBy writer: UInt64?) {
        beginning = ResumedPart(advance(to: entry, wakeAt: wakeAt), abandoned: abandoned, rival: writer)
        isOwn = true
    }

    /// Adds the entry of a timer that comes with the resumption.
    mutating func add(_ entry: [UInt8]) { beginning?.entries.append(entry) }

    /// Writes the resumption, and the timers that come with it.
    ///
    /// - Parameter begun: All work that is pending, if several servers may run it.
    mutating func writeResumption(beginning begun: [BegunWork]) {
        guard let part = takeBeginning() else { return }
        submit(.extend(header, entries: part.entries, answer: nil), beginning: begun, unlessServedBy: part.rival)
        erase(part.abandoned)
    }

    /// The entries that the next change has to write; from here on no earlier build gets the session back.
    private mutating func takeBeginning() -> ResumedPart? {
        guard let part = beginning else { return nil }
        beginning = nil
        settings.releases.removeUnwritten(id)
        return part
    }

    /// Writes which ids clients see in a resumption that is not written, unless that was written before.
    ///
    /// - Parameters:
    ///   - reservation: The ids.
    ///   - writer: The build that wrote the record, which must not be running; nil if it is not known.
    mutating func reserve(_ reservation: SessionHeader.Reservation, unlessServedBy writer: UInt64?) {
        guard header.reservation != reservation else { return }
        header.reservation = reservation
        submit(.grant(header), unlessServedBy: writer)
    }

    /// Writes what an input has led to, as one change.
    ///
    /// - Parameters:
    ///   - entry: Its entry; nil where it did not count.
    ///   - startsOver: Set if a new history begins with it.
    ///   - ending: The end of the session, where it ended it.
    ///   - time: The time at which it came.
    ///   - answer: The answer under its key.
    ///   - size: The bytes of the answer's body, also while that is outstanding.
    ///   - begun: The work that it begins.
    /// - Returns: The change's commit.
    mutating func write(
        _ entry: consuming [UInt8]?, startsOver: Bool, ending: SessionEnding?, at time: Timestamp,
        answer: KeyedAnswer?, size: Int = 0,
        beginning begun: [BegunWork] = []
    ) -> PendingCommit {
        if answer != nil { header.answers += 1 }
        let part = takeBeginning()
        if let ending {
            // First, because the end is the session's last change: nobody would ask again for one behind it.
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

    /// Writes that other tokens open the session.
    ///
    /// - Parameter change: The change of its tokens.
    /// - Returns: The change's commit.
    /// - Throws: `Rejection` where there cannot be such tokens; nothing is written then.
    mutating func grant(_ change: TokenChange) throws(Rejection) -> PendingCommit {
        header.access = try change.applied(to: header.access)
        return submit(.grant(header))
    }

    /// Writes the session's end.
    ///
    /// - Parameters:
    ///   - ending: How it ends.
    ///   - time: Now.
    ///   - use: It goes on if the journal knows that it was used since: milliseconds since 1970; nil to end it anyway.
    ///   - answer: The answer under the key of the input that ended it.
    ///   - writer: The build that wrote the record, if it must not be running; nil if it may.
    /// - Returns: The change's commit.
    @discardableResult
    mutating func end(
        _ ending: SessionEnding, at time: Timestamp, unlessUsedSince use: Int64? = nil, answer: KeyedAnswer? = nil,
        unlessServedBy writer: UInt64? = nil
    ) -> PendingCommit {
        header = header.ended(ending, at: time)
        return submit(.end(header, answer: answer, untouchedSince: use), unlessServedBy: writer)
    }

    /// Lets the journal forget secrets that replay can do without, unless all entries go with the session.
    ///
    /// The tree goes if the journal cannot, so that the next tree tries again.
    ///
    /// - Parameter revisions: The inputs that brought them.
    mutating func erase(_ revisions: [Int]) {
        guard header.ending == nil else { return }
        for revision in revisions { submit(.erase(revision: revision)) }
    }

    /// Takes an answer among those that are kept; the bodies of the oldest go beyond the limit of bytes.
    private mutating func keep(_ answer: KeyedAnswer, _ size: Int) {
        let kept = kept ?? KeptAnswers(limit: settings.bounds.answerLimit)
        self.kept = kept
        for outgrown in kept.add(answer, size) { submit(.complete(outgrown)) }
    }

    @discardableResult
    private mutating func submit(
        _ action: consuming JournalChange.Action, beginning begun: [BegunWork] = [], unlessServedBy rival: UInt64? = nil
    ) -> PendingCommit {
        newest = settings.submit(
            JournalChange(action, of: id.journalKey, upon: newest, beginning: begun, unlessServedBy: rival))
        return newest
    }
}

/// The entries with which a build goes on from an earlier revision, as long as they are not written: the resumption, and the
/// timers that came with it.
///
/// An object, because hardly any record has one, and each change looks for it.
private final class ResumedPart {
    var entries: [[UInt8]]
    /// The inputs with secrets that no build replays once the entries are written.
    let abandoned: [Int]
    /// The build that must not be running when they are written; nil for none.
    let rival: UInt64?

    init(_ entry: [UInt8], abandoned: [Int], rival: UInt64?) {
        (entries, self.abandoned, self.rival) = ([entry], abandoned, rival)
    }
}

/// The circumstances under which an idempotency key was looked up in the journal, and found to have no answer.
///
/// The finding holds only for the tree that stood then, and until it writes another answer: a tree that is built anew may
/// have an answer to the key again.
struct KeyLookup: Equatable, Sendable {
    let lineage: Lineage
    let answers: Int
}

/// The work that waits for a journal's thread, and the rules by which the thread takes it: a state machine.
package struct WorkQueue<Job> {
    /// Work that is done in one go: the changes in a group commit, then the jobs.
    package struct Batch {
        /// The changes, in the order in which they came.
        package fileprivate(set) var changes: [JournalChange] = []
        /// The jobs, in the order in which they came.
        package fileprivate(set) var jobs: [Job] = []
        /// The group commit of the changes; nil if there are none.
        package fileprivate(set) var commit: GroupCommit?

        /// Ends the wait for all of it.
        package func finish() {
            for change in changes { change.commit.finish() }
            commit?.finish()
        }
    }

    /// The next thing that the thread does.
    package enum Step {
        /// A batch of work.
        case work(Batch)
        /// Nothing waits: time for maintenance, which was due.
        case maintenance
        /// Until a time, or until it is woken; nil for no time.
        case rest(until: Int64?)
        /// Nothing more comes.
        case end

        /// True of the last one.
        var isEnd: Bool {
            if case .end = self { true } else { false }
        }
    }

    private enum Phase {
        case awake
        /// The thread rests; it knows of changes that may wait for others, or of none.
        case resting(knowsChanges: Bool)
    }

    /// The time that changes may wait for others, in nanoseconds; nil where somebody waits for each.
    private let patience: Int64?
    /// The bytes that may wait before backpressure begins: who submits must wait too.
    private let capacity: Int
    /// The changes of a batch at most; nil for all that have come.
    private let limit: Int?
    /// False if each change has a commit of its own, because it ends in a version: a session keeps its newest commit, and
    /// would keep the versions of all others in the group.
    private let sharesCommits: Bool

    /// The batches that are full, the oldest first, and the one that is filled.
    private var full: [Batch] = []
    private var batch = Batch()
    /// The commit of the batch that the thread has taken.
    private var taken: GroupCommit?
    private var bytes = 0
    /// The time by which the changes are due; nil until the thread has seen them.
    private var due: Int64?
    private var phase = Phase.awake
    private var isClosing = false

    init(patience: Int64?, capacity: Int = 4 << 20, limit: Int? = nil, sharesCommits: Bool = true) {
        self.patience = patience
        self.capacity = capacity
        self.limit = limit
        self.sharesCommits = sharesCommits
    }

    /// Takes in a change.
    ///
    /// A change whose basis has failed is not taken in.
    ///
    /// - Returns: The pending commit, and whether the thread must be woken.
    mutating func submit(_ change: consuming JournalChange) -> (commit: PendingCommit, wakes: Bool) {
        if let failure = isClosing ? .closed : change.basis.failure { return (PendingCommit(.failure(failure)), false) }
        let wasFull = isFull
        if let limit, batch.changes.count >= limit { seal() }
        let group = batch.commit ?? GroupCommit()
        batch.commit = group
        bytes += change.size
        let countsAtOnce = patience != nil && !isFull
        let commit =
            sharesCommits
            ? PendingCommit(in: group, at: batch.changes.count, countsAtOnce: countsAtOnce)
            : PendingCommit(in: GroupCommit())
        change.commit = commit
        batch.changes.append(change)
        return (commit, wakes(isUrgent: !countsAtOnce && !wasFull))
    }

    /// Fails the changes that wait and build on one that has failed.
    ///
    /// - Returns: A Boolean value indicating whether there are such changes.
    func failFollowers() -> Bool {
        // In order, because each change can build on an earlier one.
        (full + [batch]).flatMap(\.changes).reduce(false) { $1.failWithBasis() || $0 }
    }

    /// The changes that wait, and about the bytes that they take.
    var waiting: (changes: Int, bytes: Int) {
        (full.reduce(batch.changes.count) { $0 + $1.changes.count }, bytes)
    }

    /// The commit of all that has come and is not done.
    var outstanding: GroupCommit? { batch.commit ?? full.last?.commit ?? taken }

    /// Takes in a job.
    ///
    /// - Returns: True if the thread must be woken; nil once the queue is closed.
    mutating func ask(_ job: Job) -> Bool? {
        guard !isClosing else { return nil }
        batch.jobs.append(job)
        return wakes(isUrgent: true)
    }

    /// Takes nothing in any more.
    ///
    /// - Returns: True if the thread must be woken.
    mutating func close() -> Bool {
        isClosing = true
        return wakes(isUrgent: true)
    }

    /// The next thing that the thread does.
    ///
    /// - Parameters:
    ///   - now: The time, in nanoseconds.
    ///   - maintenance: The time by which maintenance is due; nil for none.
    mutating func next(at now: Int64, maintenance: Int64?) -> Step {
        phase = .awake
        taken = nil
        if isDue(at: now) { return .work(take()) }
        if isClosing { return .end }
        if let maintenance, maintenance <= now { return .maintenance }
        phase = .resting(knowsChanges: !batch.changes.isEmpty)
        return .rest(until: [due, maintenance].compactMap(\.self).min())
    }

    private var isFull: Bool { bytes > capacity }

    /// Begins another batch, for the one that is filled has as many changes as it may.
    private mutating func seal() {
        full.append(batch)
        batch = Batch()
    }

    private mutating func isDue(at now: Int64) -> Bool {
        guard batch.jobs.isEmpty, full.isEmpty else { return true }
        guard !batch.changes.isEmpty else { return false }
        guard let patience, !isClosing, !isFull else { return true }
        let due = due ?? now + patience
        self.due = due
        return due <= now
    }

    private mutating func take() -> Batch {
        guard full.isEmpty else {
            let batch = full.removeFirst()
            bytes -= batch.changes.reduce(0) { $0 + $1.size }
            taken = batch.commit
            return batch
        }
        defer {
            batch = Batch()
            bytes = 0
            due = nil
        }
        taken = batch.commit
        return batch
    }

    /// True where the work that has come ends a rest; it does so once.
    private mutating func wakes(isUrgent: Bool) -> Bool {
        guard case .resting(let knowsChanges) = phase, isUrgent || !knowsChanges else { return false }
        phase = .awake
        return true
    }
}

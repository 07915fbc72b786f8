/// A state machine that holds the work for a journal's thread, and decides when the thread takes the work.
package struct WorkQueue<Job> {
    /// Work that is done together: first the changes, in a group commit, and then the jobs.
    package struct Batch {
        package fileprivate(set) var changes: [JournalChange] = []
        package fileprivate(set) var jobs: [Job] = []
        /// The group commit of the changes; nil if there are no changes.
        package fileprivate(set) var commit: GroupCommit?

        /// Resumes all callers that wait for the batch.
        package func finish() {
            for change in changes { change.commit.finish() }
            commit?.finish()
        }
    }

    package enum Step {
        case work(Batch)
        /// Do maintenance, because it is due and there is no other work.
        case maintenance
        /// Wait until there is work, or until a time; nil to wait only for work.
        case rest(until: Int64?)
        /// End, because no more work will arrive.
        case end

        var isEnd: Bool {
            if case .end = self { true } else { false }
        }
    }

    private enum Phase {
        case awake
        /// The thread waits. `knowsChanges` indicates whether the thread has seen changes that may wait for further
        /// changes.
        case resting(knowsChanges: Bool)
    }

    /// The time in nanoseconds that a change may wait for further changes; nil if a caller waits for each change.
    private let patience: Int64?
    /// The number of waiting bytes above which callers must wait (backpressure).
    private let capacity: Int
    /// The maximum number of changes in a batch; nil for no limit.
    private let limit: Int?
    /// `false` if each change has its own commit, because each change results in a version of its record.
    ///
    /// A session retains its newest commit. A shared commit would retain the versions of all changes in the group.
    private let sharesCommits: Bool

    /// The full batches, oldest first; `batch` is the batch that is being filled.
    private var full: [Batch] = []
    private var batch = Batch()
    /// The commit of the batch that the thread has taken.
    private var taken: GroupCommit?
    private var bytes = 0
    /// The time by which the changes must be committed; nil until the thread has seen the changes.
    private var due: Int64?
    private var phase = Phase.awake
    private var isClosing = false

    init(patience: Int64?, capacity: Int = 4 << 20, limit: Int? = nil, sharesCommits: Bool = true) {
        self.patience = patience
        self.capacity = capacity
        self.limit = limit
        self.sharesCommits = sharesCommits
    }

    /// Adds a change, or fails it if its basis has failed or the queue is closed.
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

    /// Fails the waiting changes that build on a failed change; returns `true` if there are such changes.
    func failFollowers() -> Bool {
        // Goes through the changes in order, because each change can build on an earlier change.
        (full + [batch]).flatMap(\.changes).reduce(false) { $1.failWithBasis() || $0 }
    }

    var waiting: (changes: Int, bytes: Int) {
        (full.reduce(batch.changes.count) { $0 + $1.changes.count }, bytes)
    }

    var outstanding: GroupCommit? { batch.commit ?? full.last?.commit ?? taken }

    /// Adds a job; returns `true` if the thread must be woken, and nil if the queue is closed.
    mutating func ask(_ job: Job) -> Bool? {
        guard !isClosing else { return nil }
        batch.jobs.append(job)
        return wakes(isUrgent: true)
    }

    /// Closes the queue to new work; returns `true` if the thread must be woken.
    mutating func close() -> Bool {
        isClosing = true
        return wakes(isUrgent: true)
    }

    /// Returns the next step of the thread at a time in nanoseconds; `maintenance` is the time when maintenance is due.
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

    /// Starts another batch, because the current batch has the maximum number of changes.
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

    /// Returns `true` if the new work must wake the waiting thread, but only once per wait.
    private mutating func wakes(isUrgent: Bool) -> Bool {
        guard case .resting(let knowsChanges) = phase, isUrgent || !knowsChanges else { return false }
        phase = .awake
        return true
    }
}

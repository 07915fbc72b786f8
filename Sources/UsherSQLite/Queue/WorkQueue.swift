internal import UsherJournal

/// What waits for a journal's thread, and when the thread takes it.
struct WorkQueue<Job> {
    /// What is done in one go: the changes in one transaction, then the jobs.
    struct Batch {
        var changes: [JournalChange] = []
        var jobs: [Job] = []
        /// Who waits for the changes; nil where nobody does.
        var commit: Commit?
    }

    /// What the thread does next.
    enum Step {
        case work(Batch)
        /// Nothing waits: time for what is not urgent, which was due.
        case errand
        /// Until a time, or until it is woken; nil for no time.
        case rest(until: Int64?)
        case end
    }

    private enum Phase {
        case awake
        /// The thread rests; it knows of changes that may wait for others, or of none.
        case resting(knowsChanges: Bool)
    }

    /// How long changes may wait for others, in nanoseconds; nil where somebody waits for each.
    private let patience: Int64?
    /// How many bytes may wait before who submits must wait too.
    private let capacity: Int

    private var batch = Batch()
    private var bytes = 0
    /// When the changes are due; nil until the thread has seen them.
    private var due: Int64?
    private var phase = Phase.awake
    private var isClosing = false

    init(patience: Int64?, capacity: Int = 4 << 20) {
        self.patience = patience
        self.capacity = capacity
    }

    /// Takes in a change.
    ///
    /// - Returns: What to wait for, if anything, and whether the thread must be woken; nil once the queue is closed.
    mutating func submit(_ change: JournalChange) -> (commit: Commit?, wakes: Bool)? {
        guard !isClosing else { return nil }
        let wasFull = isFull
        batch.changes.append(change)
        bytes += change.size
        guard patience == nil || isFull else { return (nil, wakes(isUrgent: false)) }
        let commit = batch.commit ?? Commit()
        batch.commit = commit
        return (commit, wakes(isUrgent: !wasFull))
    }

    /// How many changes wait.
    var waiting: Int { batch.changes.count }

    /// Takes in a job.
    ///
    /// - Returns: Whether the thread must be woken; nil once the queue is closed.
    mutating func ask(_ job: Job) -> Bool? {
        guard !isClosing else { return nil }
        batch.jobs.append(job)
        return wakes(isUrgent: true)
    }

    /// Takes nothing in any more.
    ///
    /// - Returns: Whether the thread must be woken.
    mutating func close() -> Bool {
        isClosing = true
        return wakes(isUrgent: true)
    }

    /// What the thread does at a time.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds.
    ///   - errand: When something that is not urgent is due; nil for never.
    mutating func next(at now: Int64, errand: Int64?) -> Step {
        phase = .awake
        if isDue(at: now) { return .work(take()) }
        if isClosing { return .end }
        if let errand, errand <= now { return .errand }
        phase = .resting(knowsChanges: !batch.changes.isEmpty)
        return .rest(until: [due, errand].compactMap(\.self).min())
    }

    private var isFull: Bool { bytes > capacity }

    private mutating func isDue(at now: Int64) -> Bool {
        guard batch.jobs.isEmpty else { return true }
        guard !batch.changes.isEmpty else { return false }
        guard let patience, !isClosing, !isFull else { return true }
        let due = due ?? now + patience
        self.due = due
        return due <= now
    }

    private mutating func take() -> Batch {
        defer {
            batch = Batch()
            bytes = 0
            due = nil
        }
        return batch
    }

    /// Whether what has come ends a rest; it does so once.
    private mutating func wakes(isUrgent: Bool) -> Bool {
        guard case .resting(let knowsChanges) = phase, isUrgent || !knowsChanges else { return false }
        phase = .awake
        return true
    }
}

extension JournalChange {
    /// About the bytes that it takes while it waits.
    fileprivate var size: Int {
        switch action {
        case .create(_, let entries, let opening):
            entries.reduce(200) { $0 + $1.count } + (opening?.body.count ?? 0)
        case .append(_, let entry, let answer): 200 + entry.count + (answer?.body.count ?? 0)
        case .keep(_, let answer): 200 + answer.body.count
        case .end(_, let answer): 200 + (answer?.body.count ?? 0)
        case .complete(let answer): 200 + answer.body.count
        case .erase, .touch: 100
        }
    }
}

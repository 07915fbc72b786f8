internal import UsherJournal

/// What a journal's thread does; all of it runs there.
final class Worker {
    let store: Store
    let epoch: Epoch?
    let population: Population
    let hooks: Hooks
    let metrics: JournalMetrics
    /// When what was taken out must leave the write-ahead log too, by the `MonotonicClock`.
    var scrapsDue: Int64?
    /// At how many pages the write-ahead log is copied.
    var checkpointPages: Int
    /// When the log is copied once more that could not be copied, or grow, for want of room; by the `MonotonicClock`.
    var copyDue: Int64?
    /// When recent entries are filed that no commits come for, by the `MonotonicClock`.
    var filingDue: Int64?
    /// The young generation when that was noted.
    var filingNumber = 0
    var backup: RunningBackup?

    init(_ store: Store, _ epoch: Epoch?, _ population: Population, _ metrics: JournalMetrics, _ hooks: Hooks) {
        self.store = store
        self.population = population
        self.epoch = epoch
        self.metrics = metrics
        self.hooks = hooks
        checkpointPages = hooks.checkpointPages
    }

    /// Works until the desk is closed and everything there is done.
    func run(at desk: Desk) {
        while true {
            switch desk.next(errand: errand) {
            case .work(let batch): run(batch)
            case .errand: fileDue()
            case .rest: break
            case .end: return finish()
            }
            runErrands()
        }
    }

    private func run(_ batch: WorkQueue<Desk.Job>.Batch) {
        retryCopying()
        commit(batch.changes)
        for job in batch.jobs { job(self) }
        batch.commit?.finish()
    }

    private func finish() {
        backup?.giveUp(Desk.closed)
        guard !store.connection.isInspecting else { return }
        fileRest()
        store.connection.checkpoint(truncating: true)
    }
}

import Usher

/// What goes on in a session beside its tree: work that is under way, and answers that wait for it.
///
/// It outlives a tree that is dropped; the work of the next one has the same ids. Not `Sendable`: it never leaves its
/// session's lock.
final class Ongoing {
    /// What was started and has not come to its end, by the ids that the tree gave it.
    private var running: [EffectID: Task<Void, Never>] = [:]
    /// Answers that wait, by their tokens.
    private(set) var waits: [Int: AnswerWait] = [:]
    private var nextToken = 1
    /// States that watchers are shown as soon as they are kept, in the order of their revisions.
    var unseen: [Sighting] = []
    /// The newest revision that is known to be kept.
    private(set) var kept = 0

    /// Whether something has to be done whenever a revision is kept.
    var isBusy: Bool { !running.isEmpty || !waits.isEmpty || !unseen.isEmpty }

    func noteKept(_ revision: Int) {
        kept = max(kept, revision)
    }

    /// Forgets states that were not kept.
    func dropUnkept() {
        unseen.removeAll { $0.revision > kept }
    }

    /// Starts work that is not running yet, and ends what the tree does not wait for any more.
    ///
    /// - Parameters:
    ///   - work: All that the tree waits for.
    ///   - start: Begins it.
    func run(_ work: [Work], _ start: (Work) -> Task<Void, Never>) {
        let pending = Set(work.map(\.id))
        for (id, task) in running where !pending.contains(id) {
            task.cancel()
            running[id] = nil
        }
        // What was not kept has not happened, so nothing of it begins.
        for work in work where work.id.revision <= kept && running[work.id] == nil { running[work.id] = start(work) }
    }

    /// Ends everything: the session is over, or leaves memory.
    func stop() {
        for task in running.values { task.cancel() }
        running = [:]
        for wait in waits.values { wait.end() }
    }

    /// Adds an answer that waits.
    func add(_ wait: AnswerWait) -> Int {
        defer { nextToken += 1 }
        waits[nextToken] = wait
        return nextToken
    }

    /// Forgets an answer that has left.
    func remove(_ token: Int) {
        waits[token] = nil
    }

    /// The answer that waits under a client's key.
    func token(of key: String) -> Int? {
        waits.first { $0.value.key?.text == key }?.key
    }

    /// States that may be shown by now.
    func takeSeen() -> [Sighting] {
        let seen = unseen.prefix { $0.revision <= kept }
        unseen.removeFirst(seen.count)
        return Array(seen)
    }
}

import Synchronization

/// One step in a session's record, atomic: it is durable as a whole, or it has not happened.
package struct JournalChange: Sendable {
    /// The kinds of steps.
    package enum Action: Sendable {
        /// A session begins with these entries, of the revisions 1, 2, 3 …; with the answer, where a key was given.
        case create(SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?)
        /// The next entry: that of the new header's revision.
        case append(SessionHeader, entry: [UInt8], answer: KeyedAnswer?)
        /// An answer alone: the request changed nothing else.
        case keep(SessionHeader, answer: KeyedAnswer)
        /// The body of an answer that was stored without one, for what it waited for has come.
        case complete(KeyedAnswer)
        /// The session ends as the header says: its entries go; its answers stay until it is purged.
        case end(SessionHeader, answer: KeyedAnswer?)
        /// The secrets of an entry are no longer needed, nor the fingerprints of the answers that show its revision.
        case erase(revision: Int)
        /// The session was in use at a time that its entries do not show: milliseconds since 1970.
        case touch(Int64)
    }

    /// The session.
    package let key: JournalKey
    /// The chain of changes that build on each other, of which this is one.
    package let tail: WriteChain
    /// The step.
    package let action: Action

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - action: The step.
    ///   - key: The session.
    ///   - tail: The chain of changes that build on each other; a new one where nothing builds on this.
    package init(_ action: Action, of key: JournalKey, at tail: WriteChain = WriteChain()) {
        self.key = key
        self.tail = tail
        self.action = action
    }
}

/// The changes that one tree makes to its session's record, each of which builds on the one before.
///
/// When a change fails, those that build on it must fail too, also where they have been submitted already: the chain
/// breaks with the first, and a journal writes nothing of a broken one.
package final class WriteChain: Sendable {
    private let error = Mutex<JournalError?>(nil)
    private let broken = Atomic(false)

    /// Makes a chain in which nothing has failed.
    package init() {}

    /// True once a change of this chain has failed: the tree behind it shows what never happened.
    package var isBroken: Bool { broken.load(ordering: .acquiring) }

    /// The reason why it broke.
    package var failure: JournalError? { isBroken ? error.withLock { $0 } : nil }

    /// Breaks the chain; the first reason counts.
    ///
    /// - Parameter error: The reason.
    package func fail(_ error: JournalError) {
        self.error.withLock { $0 = $0 ?? error }
        broken.store(true, ordering: .releasing)
    }
}

/// A group commit: one write to the disk, of all changes that had come by then, to be waited for.
package final class Commit: Sendable {
    private struct State {
        var isDone = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Makes a commit that is under way.
    package init() {}

    /// Waits until it is done.
    ///
    /// Then a change is durable unless its `WriteChain` is broken.
    package func wait() async {
        await withCheckedContinuation { continuation in
            whenDone { continuation.resume() }
        }
    }

    /// Calls back once it is done: at once, or on the journal's thread, which commits nothing meanwhile.
    ///
    /// - Parameter body: The callback; it takes no time, and no lock that is held while a change is submitted.
    package func whenDone(_ body: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if !state.isDone { state.waiting.append(body) }
            return state.isDone
        }
        if isDone { body() }
    }

    /// True once there is nothing to wait for any more.
    package var isDone: Bool {
        state.withLock(\.isDone)
    }

    /// Ends the wait of everybody, also of those who come later.
    package func finish() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state = State(isDone: true)
            return waiting
        }
        for body in waiting { body() }
    }
}

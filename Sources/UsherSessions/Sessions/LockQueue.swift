import Synchronization

/// The requests that wait for a session's lock: first come, first served, and each without a thread.
///
/// Nobody waits at the lock itself, for its owner may be author's code that takes long, or never returns. Whoever leaves
/// the lock looks whether somebody waits, and calls the first; meanwhile no newcomer goes before it.
struct LockQueue: ~Copyable, Sendable {
    typealias Waiter = CheckedContinuation<Void, Never>

    // Not private: the compiler would not find it in the layout of a session.
    struct Contents {
        var waiters: [Waiter] = []
        /// Set from the call of a waiter to the end of its turn.
        var isCalling = false
    }

    private let count = Atomic(0)
    private let contents = Mutex(Contents())

    /// True where nobody waits and nobody was called.
    var isEmpty: Bool { length == 0 }

    /// The number of those that wait, and the one that was called.
    var length: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Waits for a call.
    ///
    /// - Parameters:
    ///   - isCalled: Set for one that was called and came too late: it stays the first.
    ///   - isFree: Tells whether the lock is free, for its owner may have left before it could see the waiter.
    func wait(isCalled: Bool, unless isFree: () -> Bool) async {
        await withCheckedContinuation { (waiter: Waiter) in
            add(waiter, isCalled: isCalled)
            if isFree() { callNext() }
        }
    }

    private func add(_ waiter: Waiter, isCalled: Bool) {
        if !isCalled { count.add(1, ordering: .sequentiallyConsistent) }
        contents.withLock { contents in
            contents.waiters.insert(waiter, at: isCalled ? 0 : contents.waiters.endIndex)
            if isCalled { contents.isCalling = false }
        }
    }

    /// Calls the first one, unless one is called already.
    func callNext() {
        call { !$0.isCalling }
    }

    /// The turn of the one that was called is over: the next is called.
    func endTurn() {
        count.subtract(1, ordering: .sequentiallyConsistent)
        call { _ in true }
    }

    private func call(where mayCall: (Contents) -> Bool) {
        let next = contents.withLock { contents -> Waiter? in
            guard mayCall(contents) else { return nil }
            contents.isCalling = !contents.waiters.isEmpty
            return contents.isCalling ? contents.waiters.removeFirst() : nil
        }
        next?.resume()
    }
}

/// The part of an attempt in the order of those that want a session's lock.
enum LockTurn {
    /// It goes behind those that wait.
    case arriving
    /// It has waited, and was called.
    case called
}

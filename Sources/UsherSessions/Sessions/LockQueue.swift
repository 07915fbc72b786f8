import Synchronization

/// The requests that wait for a session's lock, in order of arrival and without occupying threads.
///
/// No thread blocks on the lock itself, because the app's code under the lock may take long or never return. The thread
/// that leaves the lock calls the first waiter; until that waiter's turn ends, no new request goes first.
struct LockQueue: ~Copyable, Sendable {
    typealias Waiter = CheckedContinuation<Void, Never>

    // Not private, because the compiler would not find it in the layout of a session.
    struct Contents {
        var waiters: [Waiter] = []
        /// A Boolean value that is `true` from the call of a waiter until the end of its turn.
        var isCalling = false
    }

    private let count = Atomic(0)
    private let contents = Mutex(Contents())

    /// A Boolean value that indicates whether no request waits or was called.
    var isEmpty: Bool { length == 0 }

    /// The number of requests that wait, including the one that was called.
    var length: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Waits to be called.
    ///
    /// - Parameters:
    ///   - isCalled: Pass `true` if the request was called but did not get the lock; it stays the first.
    ///   - isFree: Returns whether the lock is free, because its owner may have left before it could see the waiter.
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

    /// Calls the first waiter, unless a called waiter's turn has not ended.
    func callNext() {
        call { !$0.isCalling }
    }

    /// Ends the turn of the called waiter, and calls the next one.
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

/// The place of a request in the order of the session's lock.
enum LockTurn {
    /// The request must wait behind the waiting ones.
    case arriving
    /// The request has waited and was called.
    case called
}

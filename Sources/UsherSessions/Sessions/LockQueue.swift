import Synchronization

/// The requests that wait for a session's lock, in order of arrival and without occupying threads.
///
/// No thread blocks on the session's lock, because the app's code under the lock may take long or never return. The
/// thread that releases the lock calls the first waiting request. New requests must wait until the called request has
/// had its turn.
struct LockQueue: ~Copyable, Sendable {
    typealias Waiter = CheckedContinuation<Void, Never>

    // Not private, because the compiler must find it in the layout of a session.
    struct Contents {
        var waiters: [Waiter] = []
        /// A Boolean value that indicates whether a called request has its turn.
        var isCalling = false
    }

    private let count = Atomic(0)
    private let contents = Mutex(Contents())

    var isEmpty: Bool { length == 0 }

    /// The number of requests that wait or have their turn.
    var length: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Waits until it is the request's turn.
    ///
    /// - Parameters:
    ///   - isCalled: Pass `true` if the request had its turn, but did not get the lock. The request then becomes the
    ///     first in the queue again.
    ///   - isFree: Returns `true` if the lock is free. This closure is called after the request has joined the queue,
    ///     because the lock may have been released just before.
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

    /// Calls the first waiting request, if no other called request still has its turn.
    func callNext() {
        call { !$0.isCalling }
    }

    /// Ends the turn of the called request, and calls the next one.
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

/// The place of a request in the order for the session's lock.
enum LockTurn {
    /// The request has just arrived, and must wait behind the requests that already wait.
    case arriving
    case called
}

import Synchronization

/// The requests that wait for a session's lock, in order of arrival and without occupying threads.
///
/// No thread blocks on the lock itself, because the app's code under the lock may take long or never return. The thread
/// that releases the lock calls the first waiting request. Until the turn of that request ends, no new request may take
/// the lock.
struct LockQueue: ~Copyable, Sendable {
    typealias Waiter = CheckedContinuation<Void, Never>

    // Not private, because otherwise the compiler does not find it in the layout of a session.
    struct Contents {
        var waiters: [Waiter] = []
        /// A Boolean value that is `true` from the call of a waiting request until its turn ends.
        var isCalling = false
    }

    private let count = Atomic(0)
    private let contents = Mutex(Contents())

    /// A Boolean value that indicates whether no request waits and none was called.
    var isEmpty: Bool { length == 0 }

    /// The number of requests that wait, including the request whose turn it is.
    var length: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Waits for the request's turn.
    ///
    /// - Parameters:
    ///   - isCalled: Pass `true` if it already was the request's turn, but another request got the lock; it is then first
    ///     in the queue again.
    ///   - isFree: Returns `true` if the lock is free. It is called once the request is in the queue, because the lock's
    ///     owner may have released the lock before it could see this request.
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

    /// Calls the first waiting request, unless the turn of a called one has not ended.
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
    /// The request has just arrived, and must wait behind those that already wait.
    case arriving
    /// The request has waited and was called.
    case called
}

private import Glibc
internal import Synchronization

/// A thread that serves connections and counts when its handlers start and end.
final class HandlerThread: Sendable {
    // An odd number while a handler runs. Only the thread itself writes, so an atomic increment is not needed.
    private let turns = Atomic(0)

    func turn() {
        turns.store(turns.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// The current value of the counter if a handler runs, or nil.
    var handlerTurn: Int? {
        let turn = turns.load(ordering: .relaxed)
        return turn & 1 == 1 ? turn : nil
    }
}

/// The threads of a daemon that have served a connection.
final class HandlerThreads: Sendable {
    private let threads = Mutex<[UInt: HandlerThread]>([:])

    var current: HandlerThread {
        let identity = UInt(pthread_self())
        return threads.withLock { threads in
            if let known = threads[identity] { return known }
            let thread = HandlerThread()
            threads[identity] = thread
            return thread
        }
    }

    /// The counters of the threads that run a handler, by thread.
    var handlerTurns: [UInt: Int] {
        threads.withLock { $0.compactMapValues(\.handlerTurn) }
    }
}

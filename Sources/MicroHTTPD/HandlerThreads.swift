private import Glibc
internal import Synchronization

/// A thread that serves connections, with the turns of its handlers.
final class HandlerThread: Sendable {
    // Odd during a handler. Written by the thread alone, so that neither needs to be one step.
    private let turns = Atomic(0)

    /// A handler begins, or ends.
    func turn() {
        turns.store(turns.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// The number of the turn, if it is a handler's.
    var handlerTurn: Int? {
        let turn = turns.load(ordering: .relaxed)
        return turn & 1 == 1 ? turn : nil
    }
}

/// The threads of a daemon that have served a connection.
final class HandlerThreads: Sendable {
    private let threads = Mutex<[UInt: HandlerThread]>([:])

    /// The thread that asks.
    var current: HandlerThread {
        let identity = UInt(pthread_self())
        return threads.withLock { threads in
            if let known = threads[identity] { return known }
            let thread = HandlerThread()
            threads[identity] = thread
            return thread
        }
    }

    /// The turns of those that are in a handler.
    var handlerTurns: [UInt: Int] {
        threads.withLock { $0.compactMapValues(\.handlerTurn) }
    }
}

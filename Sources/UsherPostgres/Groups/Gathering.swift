import Synchronization

/// A gatherer of items for a statement: all that come while one is under way go into the next, as with a group commit.
final class Gathering<Item: Sendable>: Sendable {
    /// A statement for items; without a connection where the worker is closed.
    typealias Use = @Sendable ([Item], DatabaseLink?) -> Void

    private struct State {
        var items: [Item] = []
        var isUnderWay = false
    }

    private let state = Mutex(State())
    private let worker: ConnectionWorker
    private let use: Use

    /// Makes a gatherer that has nothing.
    ///
    /// - Parameters:
    ///   - worker: The thread with the connection; others use it between two statements.
    ///   - use: Runs the statement.
    init(on worker: ConnectionWorker, for use: @escaping Use) {
        self.worker = worker
        self.use = use
    }

    /// Adds items, without waiting.
    func add(_ items: some Sequence<Item>) {
        let isFirst = state.withLock { state in
            state.items += items
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        if isFirst { begin() }
    }

    /// Has the next statement run on the worker's thread; where that takes nothing more, here and now.
    ///
    /// - Parameter link: The connection, for whoever is on that thread.
    private func begin(on link: DatabaseLink? = nil) {
        let isTaken = worker.run { [self] link in
            if useNext(on: link) { begin(on: link) }
        }
        guard !isTaken else { return }
        while useNext(on: link) {}
    }

    /// Runs the statement for all that has come.
    ///
    /// - Returns: False where that is nothing: the next who adds something begins anew.
    private func useNext(on link: DatabaseLink?) -> Bool {
        let items = state.withLock { state in
            let items = state.items
            state.items = []
            if items.isEmpty { state.isUnderWay = false }
            return items
        }
        if !items.isEmpty { use(items, link) }
        return !items.isEmpty
    }
}

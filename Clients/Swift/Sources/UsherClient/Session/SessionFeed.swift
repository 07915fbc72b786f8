import Synchronization

/// A session's record, the task that follows the server, and the observers.
final class SessionFeed: Sendable {
    private struct Observer {
        /// Called under the lock, so that all observers get the same order.
        ///
        /// The closure must not call the feed.
        let tell: @Sendable (SessionUpdate) -> Void
        let finish: @Sendable () -> Void
    }

    private struct Contents {
        var record: SessionRecord
        var observers: [Int: Observer] = [:]
        var observed = 0
        var watching: Task<Void, Never>?
        var isClosed = false

        func tell(_ updates: [SessionUpdate]) {
            for update in updates {
                for observer in observers.values { observer.tell(update) }
            }
        }
    }

    /// A lock instead of an actor, so that a view can read the state while it draws.
    private let contents: Mutex<Contents>

    init(_ opened: Snapshot) {
        contents = Mutex(Contents(record: SessionRecord(opened)))
        if opened.state.ended != nil { change { $0.connect(.ended) } }
    }

    var state: SessionState { contents.withLock { $0.record.state } }
    var connection: Connection { contents.withLock { $0.record.connection } }
    var ending: Problem? { contents.withLock { $0.record.ending } }

    /// Adopts the state that a response contains.
    func take(_ answer: Snapshot) {
        change { $0.answer(answer) }
    }

    func end(_ problem: Problem) {
        change { $0.end(problem) }
    }

    /// Reports an update that is not part of the record.
    func tell(_ update: SessionUpdate) {
        change { _ in [update] }
    }

    func hear(_ event: Watcher.Event) {
        change { record in
            switch event {
            case .connecting:
                record.connecting()
                return []
            case .state(let snapshot): return record.follow(snapshot)
            case .connection(let connection): return record.connect(connection)
            case .gone(let problem): return record.end(problem)
            }
        }
    }

    /// Starts a task that follows the server until the session has ended, or stops it while the session is hidden.
    func watch(isHidden: Bool, _ make: () -> Task<Void, Never>) {
        change { $0.hide(isHidden) }
        contents.withLock { contents in
            if isHidden {
                contents.watching?.cancel()
                contents.watching = nil
            } else if contents.watching == nil, !contents.isClosed, !contents.record.isOver {
                contents.watching = make()
            }
        }
    }

    /// Starts following again after the server had denied the session to this client.
    func resume(_ make: () -> Task<Void, Never>) {
        contents.withLock { contents in
            guard !contents.isClosed, contents.record.ending?.isDenied == true else { return }
            contents.tell(contents.record.resume())
            contents.watching = contents.record.connection == .hidden ? nil : make()
        }
    }

    /// Adds an observer, which first gets the current state and then each change.
    ///
    /// - Returns: A function that removes the observer.
    @discardableResult
    func observe(
        _ tell: @escaping @Sendable (SessionUpdate) -> Void, finish: @escaping @Sendable () -> Void = {}
    ) -> @Sendable () -> Void {
        let number: Int? = contents.withLock { contents in
            for update in contents.record.beginning { tell(update) }
            if contents.isClosed { return nil }
            contents.observed += 1
            contents.observers[contents.observed] = Observer(tell: tell, finish: finish)
            return contents.observed
        }
        guard let number else {
            finish()
            return {}
        }
        return { [weak self] in self?.contents.withLock { _ = $0.observers.removeValue(forKey: number) } }
    }

    /// Stops following the server and finishes all observers.
    func close() {
        let observers = contents.withLock { contents in
            contents.isClosed = true
            contents.watching?.cancel()
            defer { contents.observers = [:] }
            return contents.observers
        }
        for observer in observers.values { observer.finish() }
    }

    private func change(_ make: (inout SessionRecord) -> [SessionUpdate]) {
        contents.withLock { contents in
            contents.tell(make(&contents.record))
            if contents.record.isOver { contents.watching?.cancel() }
        }
    }
}

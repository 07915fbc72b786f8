import UsherProcess

/// The connections of a journal's threads: a thread takes one for each job, and any will do.
///
/// The database may grant fewer connections than there are threads; these share the connections that they have then.
///
/// If a connection is lost while it is used, the others may lead to the same server, which may not be the primary any more.
/// So all are made again, each behind the fence: what one of them proves of its server holds for all.
final class ConnectionStock: @unchecked Sendable {  // because `lock` guards all of it
    private let lock = ConditionLock()
    private let count: Int
    private var idle: [DatabaseLink]
    /// The tickets of the threads that wait for a link.
    private var waiting: [Int] = []
    /// The links in use that had a connection when they were last looked at.
    private var connectedInUse = 0
    /// The number of connections that were lost while they were used.
    private var generation = 0
    /// The time of the next attempt to get another connection while some are there, by the `MonotonicClock`.
    private var due = Int64.min
    private var pause = ConnectionStock.shortest

    private static let shortest: Int64 = 1_000_000_000
    private static let longest: Int64 = 60_000_000_000

    /// Makes a stock of links, which nobody else uses.
    init(_ links: sending [DatabaseLink]) {
        count = links.count
        idle = links
    }

    /// The connections that there are, as far as is known, and those that are used if they can be had.
    var connections: (granted: Int, wanted: Int) { withLock { (granted, count) } }

    private var granted: Int { connectedInUse + idle.count(where: \.isConnected) }

    /// Connects the links, up to the first that is refused a connection.
    func connect() {
        withLock {
            for link in idle {
                let start = MonotonicClock.now
                try? link.connect()
                noteAttempt(link.isConnected, from: start)
                guard link.isConnected else { return }
            }
        }
    }

    /// Uses a connection, once one is free; or a link without, while there is no connection at all.
    func use<Value>(_ body: (DatabaseLink) -> Value) -> Value {
        while true {
            let link = take()
            var isCounted = link.isConnected
            var losses = link.losses
            defer { give(link, isCounted, isLost: link.losses != losses) }
            // Once for each use, because this asks the system.
            link.noticeEnd()
            if !link.isConnected, recount(link, &isCounted) > 0 {
                let start = MonotonicClock.now
                try? link.connect()
                withLock { noteAttempt(link.isConnected, from: start) }
            }
            let isAlone = recount(link, &isCounted) == 0
            // One that the database has closed while it was idle says nothing of the others.
            losses = link.losses
            if link.isConnected || isAlone { return body(link) }
        }
    }

    /// Closes the connections, once they are not used any more.
    func close() {
        withLock { for link in idle { link.close() } }
    }

    /// Takes a link with a connection, or one that is to get one; waits while there is none, in the order of the calls, because
    /// a thread with much to do would leave none to the others.
    private func take() -> DatabaseLink {
        withLock {
            let ticket = (waiting.last ?? 0) + 1
            waiting.append(ticket)
            defer {
                waiting.removeFirst()
                if !waiting.isEmpty { lock.broadcast() }
            }
            while true {
                guard waiting.first == ticket else {
                    lock.wait(until: nil)
                    continue
                }
                if let place = idle.lastIndex(where: \.isConnected) {
                    connectedInUse += 1
                    return idle.remove(at: place)
                }
                if !idle.isEmpty, due <= MonotonicClock.now || granted == 0 { return idle.removeLast() }
                lock.wait(until: idle.isEmpty ? nil : due)
            }
        }
    }

    private func give(_ link: DatabaseLink, _ isCounted: Bool, isLost: Bool) {
        withLock {
            if isLost {
                generation += 1
                link.generation = generation
                for other in idle {
                    other.close()
                    other.generation = generation
                }
                noteAttempt(true, from: 0)
            } else if link.generation != generation {
                link.close()
                link.generation = generation
            }
            if isCounted { connectedInUse -= 1 } else if link.isConnected { noteAttempt(true, from: 0) }
            idle.append(link)
        }
        lock.broadcast()
    }

    /// Counts a link in use by whether it has a connection now.
    ///
    /// - Returns: The number of all connections.
    private func recount(_ link: DatabaseLink, _ isCounted: inout Bool) -> Int {
        let isConnected = link.isConnected
        defer { isCounted = isConnected }
        return withLock {
            connectedInUse += (isConnected ? 1 : 0) - (isCounted ? 1 : 0)
            return granted
        }
    }

    /// Notes an attempt to connect while there are other connections: the next comes later and later, and much later after one
    /// that a pooler has kept waiting for seconds, because the thread's sessions wait meanwhile.
    private func noteAttempt(_ isConnected: Bool, from start: Int64) {
        guard !isConnected else { return (due, pause) = (.min, Self.shortest) }
        let now = MonotonicClock.now
        due = now + min(max(pause, (now - start) * 10), Self.longest)
        pause = min(pause * 2, Self.longest)
    }

    private func withLock<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}

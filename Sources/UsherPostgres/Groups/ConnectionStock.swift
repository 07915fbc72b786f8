import UsherJournal
import UsherProcess

/// The connections of a journal's threads; for each job, a thread takes any of them.
///
/// The database may grant fewer connections than there are threads; then the threads share them. If a connection is
/// lost while it is used, the database's server may no longer be the primary, and the other connections may still lead
/// to that server. All connections are therefore replaced. Each new connection runs `ServerNode.fence`, so that one
/// connection's check of the server is valid for all.
final class ConnectionStock: @unchecked Sendable {  // because `lock` guards what changes
    private let lock = ConditionLock()
    /// All links; if another thread uses a link, only its `isConnected` may be read.
    private let links: [DatabaseLink]
    private var idle: [DatabaseLink]
    /// The tickets of the threads that wait for a link, in order.
    private var waiting: [Int] = []
    /// The number of connections that were lost while they were used.
    private var generation = 0
    /// The time when the stock may try to get another connection, by the `MonotonicClock`.
    private var due = Int64.min
    private var pause = ConnectionStock.shortest

    private static let shortest: Int64 = 1_000_000_000
    private static let longest: Int64 = 60_000_000_000

    /// Creates a stock of links that have no other user.
    init(_ links: sending [DatabaseLink]) {
        self.links = links
        idle = links
    }

    var connections: JournalConnections { JournalConnections(granted: granted, wanted: links.count) }

    private var granted: Int { links.count(where: \.isConnected) }

    /// Connects the links until a connection is refused.
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

    /// Uses a free connection.
    ///
    /// If there is none at all, uses a link without a connection, which then connects.
    func use<Value>(_ body: (DatabaseLink) -> Value) -> Value {
        while true {
            let link = take()
            // Called only once per use, because it makes a system call.
            link.noticeEnd()
            if !link.isConnected, granted > 0 {
                let start = MonotonicClock.now
                try? link.connect()
                withLock { noteAttempt(link.isConnected, from: start) }
            }
            // A connection that the database closed while the connection was idle does not count as lost.
            let (wasConnected, losses) = (link.isConnected, link.losses)
            defer { give(link, wasConnected, isLost: link.losses != losses) }
            if wasConnected || granted == 0 { return body(link) }
        }
    }

    /// Closes each connection as soon as it is no longer used.
    func close() {
        withLock { for link in idle { link.close() } }
    }

    /// Takes a link that has a connection or should get one; waits if there is none.
    ///
    /// Threads get links in the order of their calls; otherwise busy threads would starve the others.
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
                    return idle.remove(at: place)
                }
                if !idle.isEmpty, due <= MonotonicClock.now || granted == 0 { return idle.removeLast() }
                lock.wait(until: idle.isEmpty ? nil : due)
            }
        }
    }

    private func give(_ link: DatabaseLink, _ wasConnected: Bool, isLost: Bool) {
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
            if !wasConnected, link.isConnected { noteAttempt(true, from: 0) }
            idle.append(link)
        }
        lock.broadcast()
    }

    /// Records an attempt to connect while there are other connections.
    ///
    /// The pauses between such attempts grow. If a pooler has delayed an attempt by seconds, the pauses are much
    /// longer, because the sessions of the connecting thread wait during an attempt.
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

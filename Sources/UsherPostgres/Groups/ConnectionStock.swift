import UsherJournal
import UsherProcess

/// The connections of a journal's threads: for each job, a thread takes any free connection.
///
/// If the database grants fewer connections than there are threads, the threads share the connections. If a connection
/// is lost while a thread uses it, the database server may no longer be the primary, and the other connections may
/// still lead to this server. The stock therefore replaces all connections. Each new connection runs
/// `ServerNode.fence`, so that a check of the server on one connection is valid for all connections.
final class ConnectionStock: @unchecked Sendable {  // because `lock` guards what changes
    private let lock = ConditionLock()
    /// All links; of a link that another thread uses, only `isConnected` may be read.
    private let links: [DatabaseLink]
    private var idle: [DatabaseLink]
    /// The tickets of the threads that wait for a link, in the order of the threads' calls.
    private var waiting: [Int] = []
    /// The number of times that a connection was lost while a thread used it.
    private var generation = 0
    /// The time when the stock may try to get another connection, by the `MonotonicClock`.
    private var due = Int64.min
    private var pause = ConnectionStock.shortest

    private static let shortest: Int64 = 1_000_000_000
    private static let longest: Int64 = 60_000_000_000

    /// Creates a stock of links that nothing else uses.
    init(_ links: sending [DatabaseLink]) {
        self.links = links
        idle = links
    }

    var connections: JournalConnections { JournalConnections(granted: granted, wanted: links.count) }

    private var granted: Int { links.count(where: \.isConnected) }

    /// Connects one link after the other, until a connection is refused.
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

    /// Uses a free connection; if there is no connection at all, uses a link that then connects.
    func use<Value>(_ body: (DatabaseLink) -> Value) -> Value {
        while true {
            let link = take()
            // Called only once per use, because `noticeEnd` makes a system call.
            link.noticeEnd()
            if !link.isConnected, granted > 0 {
                let start = MonotonicClock.now
                try? link.connect()
                withLock { noteAttempt(link.isConnected, from: start) }
            }
            // If the database closed a connection while the connection was idle, the connection does not count as lost.
            let (wasConnected, losses) = (link.isConnected, link.losses)
            defer { give(link, wasConnected, isLost: link.losses != losses) }
            if wasConnected || granted == 0 { return body(link) }
        }
    }

    /// Closes the idle connections.
    func close() {
        withLock { for link in idle { link.close() } }
    }

    /// Takes a link that has a connection, or a link that should connect now; waits if there is no such link.
    ///
    /// Threads get links in the order of their calls, because otherwise a busy thread could make others wait forever.
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
    /// The pauses between such attempts grow. If an attempt took seconds, for example because a pooler delayed it, the
    /// next pause is much longer: during an attempt, the sessions of the connecting thread must wait.
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

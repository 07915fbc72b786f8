import Synchronization

/// A part of the sessions in memory, behind a lock of its own, so that requests seldom wait for each other.
final class SessionShard: Sendable {
    private struct Contents {
        var sessions: [SessionID: Session] = [:]
        var queue = UseQueue()
    }

    private let contents = Mutex(Contents())

    var count: Int { contents.withLock { $0.sessions.count } }

    func insert(_ session: Session) {
        contents.withLock { contents in
            contents.sessions[session.id] = session
            contents.queue.add(session)
        }
    }

    /// The session in memory with an id, made where there is none.
    func session(_ id: SessionID, _ make: () -> Session) -> Session {
        contents.withLock { contents in
            if let session = contents.sessions[id] { return session }
            let session = make()
            contents.sessions[id] = session
            contents.queue.add(session)
            return session
        }
    }

    /// The session with an id, if it is in memory.
    func find(_ id: SessionID) -> Session? {
        contents.withLock { $0.sessions[id] }
    }

    /// Lets a session go, unless another has taken its place.
    ///
    /// - Returns: True where it was there.
    @discardableResult
    func remove(_ session: Session) -> Bool {
        let removed = contents.withLock { contents -> Session? in
            guard contents.sessions[session.id] === session else { return nil }
            contents.sessions[session.id] = nil
            let sessions = contents.sessions
            contents.queue.noteLeaving { sessions[$0.id] === $0 }
            return session
        }
        // The last reference may go here, outside the lock.
        return removed != nil
    }

    /// The session that has not been used for the longest time, if that is long enough ago.
    ///
    /// It goes to the end of the queue, as if it had been used: whoever asks decides whether it leaves.
    ///
    /// - Parameter time: Milliseconds since 1970.
    func takeIdle(since time: Int64) -> Session? {
        contents.withLock { contents in
            let sessions = contents.sessions
            return contents.queue.takeIdle(since: time) { sessions[$0.id] === $0 }
        }
    }

    /// The last use of the session that has not been used for the longest time.
    var oldestUse: Int64? {
        contents.withLock { contents in
            let sessions = contents.sessions
            return contents.queue.oldestUse { sessions[$0.id] === $0 }
        }
    }
}

/// Sessions in the order of their last use, brought up to date only when somebody asks: use costs nothing here.
///
/// A session stands where it was used when it was last looked at. One that was used since goes to the end, so the
/// front, once looked at, is the one that has not been used for the longest time.
struct UseQueue {
    private struct Place {
        let session: Session
        let use: Int64
    }

    private var places: [Place] = []
    private var front = 0
    /// Sessions that have left memory and still have a place.
    private var left = 0

    mutating func add(_ session: Session) {
        places.append(Place(session: session, use: session.lastUse))
    }

    /// Notes that a session has left memory, and gives places back once most belong to such.
    ///
    /// - Parameter isThere: True for a session that is still in memory.
    mutating func noteLeaving(_ isThere: (Session) -> Bool) {
        left += 1
        guard left > 32, left * 2 > places.count - front else { return }
        places = places[front...].filter { isThere($0.session) }
        front = 0
        left = 0
    }

    /// The last use of the session at the front.
    ///
    /// - Parameter isThere: True for a session that is still in memory; others are dropped.
    mutating func oldestUse(_ isThere: (Session) -> Bool) -> Int64? {
        settle(isThere)?.use
    }

    /// Takes the session at the front if it was not used since a time, and puts it at the end.
    mutating func takeIdle(since time: Int64, _ isThere: (Session) -> Bool) -> Session? {
        guard let place = settle(isThere), place.use <= time else { return nil }
        front += 1
        places.append(place)
        return place.session
    }

    /// Brings the front up to date.
    private mutating func settle(_ isThere: (Session) -> Bool) -> Place? {
        // Each place is looked at once: one whose session was used meanwhile goes behind those that were not.
        for _ in front..<max(front, places.count) {
            let place = places[front]
            guard isThere(place.session) else {
                front += 1
                left -= 1
                continue
            }
            guard place.session.lastUse != place.use else { break }
            front += 1
            add(place.session)
        }
        compact()
        return front < places.count ? places[front] : nil
    }

    /// Gives back what lies before the front, once that is most of it.
    private mutating func compact() {
        guard front > 32, front * 2 > places.count else { return }
        places.removeFirst(front)
        front = 0
    }
}

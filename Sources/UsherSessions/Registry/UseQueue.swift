/// Sessions in the order of their last use, kept up to date only when somebody asks: using a session costs nothing here.
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
    /// - Parameter isThere: Whether a session is still in memory.
    mutating func noteLeaving(_ isThere: (Session) -> Bool) {
        left += 1
        guard left > 32, left * 2 > places.count - front else { return }
        places = places[front...].filter { isThere($0.session) }
        front = 0
        left = 0
    }

    /// When the session at the front was last used.
    ///
    /// - Parameter isThere: Whether a session is still in memory; others are dropped.
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

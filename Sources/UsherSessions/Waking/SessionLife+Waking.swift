import Usher

extension SessionLife {
    /// Who a request for a cold session is.
    enum Part {
        /// There is nothing to wake.
        case none
        /// The one that wakes it, with what a dropped tree has left.
        case waker(Succession?)
        /// One that waits for the waker.
        case waiter
    }

    /// Says what a request has to do so that there is a tree.
    mutating func beginWaking() -> Part {
        switch phase {
        case .cold(let succession):
            phase = .waking([])
            return .waker(succession)
        case .waking: return .waiter
        case .live, .over, .retired: return .none
        }
    }

    /// Adds one that waits.
    ///
    /// - Returns: Whether there is anything to wait for; it may be over by now.
    mutating func wait(_ waiter: Waiter) -> Bool {
        guard case .waking(let waiters) = phase else { return false }
        phase = .waking(waiters + [waiter])
        return true
    }

    /// Notes how the waking ended.
    ///
    /// - Parameters:
    ///   - awakening: How it ended.
    ///   - succession: What is left to the next attempt, where this one has failed.
    ///   - session: The session.
    /// - Returns: Those who wait for it.
    mutating func endWaking(_ awakening: Awakening, _ succession: Succession?, in session: Session) -> [Waiter] {
        guard case .waking(let waiters) = phase else { return [] }
        switch awakening {
        case .live(let sent): phase = sent.take().map { .live($0) } ?? .cold(succession)
        case .over(let tombstone):
            phase = .over(Settlement(.failure(.ended(tombstone)), tail: nil, commit: nil))
        case .failed: phase = .cold(succession)
        }
        guard case .live(let live) = phase else { return waiters }
        live.ongoing = ongoing
        // All that was replayed is kept; a divergence that was noted begins no work.
        let kept = live.keptRevision
        buryIfEnded(live)
        noteKept(kept, in: session)
        return waiters
    }
}

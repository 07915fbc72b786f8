import Usher
import UsherJournal

extension SessionLife {
    /// Takes the session out of memory, unless something is under way.
    ///
    /// - Returns: Whether it has left; with the coordinators that have not.
    mutating func retire(_ settings: SessionSettings) -> (hasLeft: Bool, leaks: [Leak]) {
        switch phase {
        case .waking: return (false, [])
        case .retired: break
        // Its tree was dropped, and counts as being in memory until another takes its place.
        case .cold(let dropped): settings.tally.hibernate(dropped?.tallied.live ?? 0)
        case .over(let ending):
            guard ending.isKept else { return (false, []) }
        case .live(let live):
            guard live.isSettled, !live.tail.isBroken, live.canHibernate else { return (false, []) }
            ongoing.stop()
            phase = .retired
            return (true, live.hibernate())
        }
        phase = .retired
        return (true, [])
    }
}

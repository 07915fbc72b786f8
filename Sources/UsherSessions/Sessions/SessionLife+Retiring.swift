import Usher
import UsherJournal

extension SessionLife {
    /// Takes the session out of memory, unless something is under way.
    ///
    /// - Returns: Whether it has left; with the coordinators that have not.
    mutating func retire() -> (hasLeft: Bool, leaks: [Leak]) {
        switch phase {
        case .waking: return (false, [])
        case .retired, .cold: break
        case .over(let ending):
            guard ending.isKept else { return (false, []) }
        case .live(let live):
            guard live.isSettled, !live.tail.isBroken else { return (false, []) }
            phase = .retired
            return (true, live.hibernate())
        }
        phase = .retired
        return (true, [])
    }
}

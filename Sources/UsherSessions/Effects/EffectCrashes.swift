import Synchronization
import Usher
import UsherJournal
import UsherProcess

/// The effects whose own work was going on when a process before this one died.
///
/// An effect cannot be tried in a child, for that would do its work in the world once more. So it is begun again, as all that
/// were under way are; one that was at work at two crashes is recorded as refused.
final class EffectCrashes: Sendable {
    private struct SessionEffect: Hashable {
        let session: JournalKey
        let effect: String

        init(_ id: EffectID, of session: SessionID) {
            self.session = session.journalKey
            effect = id.description
        }

        init(_ mark: FlightMark) {
            session = JournalKey(high: mark.session.high, low: mark.session.low)
            effect = String(decoding: mark.payload, as: UTF8.self)
        }
    }

    /// The number of crashes after which an effect is not begun any more.
    static let limit: Int64 = 2

    private let isOccupied = Atomic(false)
    private let marks = Mutex<[SessionEffect: FlightMark]>([:])

    /// Takes in what a dead process has left.
    func add(_ remains: [FlightMark]) {
        let counted = FlightMark.effects(among: remains)
        guard !counted.isEmpty else { return }
        marks.withLock { marks in
            for mark in counted { marks[SessionEffect(mark)] = mark }
        }
        isOccupied.store(true, ordering: .releasing)
    }

    /// The number of crashes that an effect has been at work at.
    func count(of id: EffectID, in session: SessionID) -> Int64 {
        isOccupied.load(ordering: .acquiring) ? count(of: SessionEffect(id, of: session)) : 0
    }

    /// The number of crashes that the effect of a mark has been at work at.
    func count(of mark: FlightMark) -> Int64 { count(of: SessionEffect(mark)) }

    private func count(of effect: SessionEffect) -> Int64 {
        guard case .crashes(let count) = marks.withLock({ $0[effect] })?.note else { return 0 }
        return count
    }

    /// Forgets an effect that has come to its end.
    ///
    /// - Returns: Its mark, if there was any.
    func remove(_ id: EffectID, in session: SessionID) -> FlightMark? {
        guard isOccupied.load(ordering: .acquiring) else { return nil }
        return marks.withLock { $0.removeValue(forKey: SessionEffect(id, of: session)) }
    }
}

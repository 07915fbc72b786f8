import Synchronization
import Usher
import UsherJournal
import UsherProcess

/// The effects whose own work was going on when a process before this one died.
///
/// An effect cannot be tried in a child, for that would do its work in the world once more. So it is begun again, as all that
/// were under way are; one that was at work at two crashes is recorded as refused. Servers on one journal count together:
/// each would else try it as often as one alone.
final class EffectCrashes: Sendable {
    private struct SessionEffect: Hashable {
        let session: JournalKey
        let effect: String

        init(_ id: EffectID, of session: SessionID) {
            self.session = session.journalKey
            effect = id.description
        }

        init(_ piece: WorkPiece, of key: JournalKey) {
            session = key
            effect = EffectID(piece).description
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
    /// The counts that the journal has told, of this server's crashes and others'.
    private let told = Mutex<[SessionEffect: Int64]>([:])

    /// Takes in what a dead process has left.
    func add(_ remains: [FlightMark]) {
        let counted = FlightMark.effects(among: remains)
        guard !counted.isEmpty else { return }
        marks.withLock { marks in
            for mark in counted { marks[SessionEffect(mark)] = mark }
        }
        isOccupied.store(true, ordering: .releasing)
    }

    /// Takes in what the journal tells of effects that this server has claimed.
    func add(_ claimed: ClaimedWork) {
        guard !claimed.crashes.isEmpty else { return }
        told.withLock { told in
            for (piece, count) in claimed.crashes { told[SessionEffect(piece, of: claimed.key)] = count }
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
        let count = told.withLock { $0[effect] } ?? 0
        guard case .crashes(let own) = marks.withLock({ $0[effect] })?.note else { return count }
        return max(own, count)
    }

    /// Forgets an effect that has come to its end.
    ///
    /// - Returns: Its mark, if there was any.
    func remove(_ id: EffectID, in session: SessionID) -> FlightMark? {
        guard isOccupied.load(ordering: .acquiring) else { return nil }
        let effect = SessionEffect(id, of: session)
        told.withLock { _ = $0.removeValue(forKey: effect) }
        return marks.withLock { $0.removeValue(forKey: effect) }
    }
}

/// The watched sessions that are being confirmed because they rang, as a state machine: each is confirmed by one task, however
/// often others write it, so that nothing piles up while the journal does not answer.
struct PendingRings {
    /// True of a session that rang again meanwhile.
    private var confirming: [SessionID: Bool] = [:]

    /// A session rang.
    ///
    /// - Returns: False if it is being confirmed: then it is confirmed once more, because that may have begun before the ring.
    mutating func begin(_ id: SessionID) -> Bool {
        let isFirst = confirming[id] == nil
        confirming[id] = !isFirst
        return isFirst
    }

    /// A session has been confirmed.
    ///
    /// - Returns: True if it has to be confirmed once more.
    mutating func goesOn(_ id: SessionID) -> Bool {
        guard confirming[id] == true else {
            confirming[id] = nil
            return false
        }
        confirming[id] = false
        return true
    }
}

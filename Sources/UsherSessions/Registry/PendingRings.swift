/// The watched sessions that are being confirmed because another server announced a write.
///
/// Each session is confirmed by only one task, however often other servers write it, so that tasks do not accumulate
/// while the journal does not respond.
struct PendingRings {
    /// The sessions that are being confirmed, each with `true` if it was announced again in the meantime.
    private var confirming: [SessionID: Bool] = [:]

    /// Called when another server announces that it has written a session.
    ///
    /// - Returns: `true` if the caller must confirm the session; `false` if the session is already being confirmed. In
    ///   that case, `goesOn` later requires another confirmation, because the current one may have begun before the
    ///   write.
    mutating func begin(_ id: SessionID) -> Bool {
        let isFirst = confirming[id] == nil
        confirming[id] = !isFirst
        return isFirst
    }

    /// Called when a session has been confirmed; returns `true` if the session must be confirmed again.
    mutating func goesOn(_ id: SessionID) -> Bool {
        guard confirming[id] == true else {
            confirming[id] = nil
            return false
        }
        confirming[id] = false
        return true
    }
}

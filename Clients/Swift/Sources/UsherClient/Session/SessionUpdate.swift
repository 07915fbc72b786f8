/// A change of a session.
public enum SessionUpdate: Sendable {
    /// A state, and the operations that lead a view to it.
    case state(SessionState, [ViewOperation])
    /// The connection through which the client follows changes made elsewhere.
    case connection(Connection)
    /// The number of inputs that the server has not answered.
    case waiting(Int)
    /// An attempt to send an input failed and will be repeated.
    case delayed(Problem)
    /// The session has ended, or this client may not use it.
    case gone(Problem)
}

/// The information that a client has about its session.
struct SessionRecord {
    private var newest: Snapshot
    private(set) var connection = Connection.reconnecting
    private(set) var ending: Problem?
    /// The number of adopted states, to detect a response that arrived while a connection was made.
    private var taken = 0
    private var takenAtConnect: Int?
    private var isHidden = false

    init(_ opened: Snapshot) {
        newest = opened
    }

    var state: SessionState { newest.state }

    var isOver: Bool { connection == .ended }

    /// The first updates of a new observer.
    var beginning: [SessionUpdate] {
        [.state(state, ViewOperation.leading(from: nil, to: state)), .connection(connection)]
    }

    /// Notes that a connection begins, whose first state may be older than a state that was received earlier.
    mutating func connecting() {
        takenAtConnect = taken
    }

    /// Adopts the state in a response, unless it is older.
    mutating func answer(_ snapshot: Snapshot) -> [SessionUpdate] {
        isOlder(snapshot) ? [] : take(snapshot)
    }

    /// Adopts a state from the connection.
    ///
    /// The first state of a new connection may be older than the last known state, because a crash or a restored backup can
    /// lose revisions.
    mutating func follow(_ snapshot: Snapshot) -> [SessionUpdate] {
        isOlder(snapshot) && takenAtConnect != taken ? [] : take(snapshot)
    }

    /// Responses and the stream arrive in any order, and a repeated response may be old.
    private func isOlder(_ snapshot: Snapshot) -> Bool {
        if snapshot.state.revision >= state.revision { return false }
        return snapshot.isReplayed || !snapshot.isOfAnotherRun(than: newest)
    }

    private mutating func take(_ snapshot: Snapshot) -> [SessionUpdate] {
        if ending != nil { return [] }
        let new = snapshot.state
        let operations = ViewOperation.leading(from: state, to: new)
        let isNews = new.revision != state.revision || !operations.isEmpty || new.ended != nil
        takenAtConnect = nil
        newest = snapshot
        taken += 1
        let news: [SessionUpdate] = isNews ? [.state(new, operations)] : []
        return news + (new.ended == nil ? [] : connect(.ended))
    }

    /// Notes that the session is hidden or visible again.
    mutating func hide(_ isHidden: Bool) -> [SessionUpdate] {
        if isHidden {
            defer { self.isHidden = true }
            return connect(.hidden)
        }
        if !self.isHidden { return [] }
        self.isHidden = false
        return connect(.reconnecting)
    }

    mutating func connect(_ new: Connection) -> [SessionUpdate] {
        // A connection that was closed may still report something.
        if new == connection || isOver || (isHidden && new != .ended) { return [] }
        connection = new
        return [.connection(new)]
    }

    mutating func end(_ problem: Problem) -> [SessionUpdate] {
        if ending != nil { return [] }
        ending = problem
        return [.gone(problem)] + connect(.ended)
    }

    /// Removes an ending that was a denial, because there is a new token.
    mutating func resume() -> [SessionUpdate] {
        ending = nil
        connection = isHidden ? .hidden : .reconnecting
        return [.connection(connection)]
    }
}

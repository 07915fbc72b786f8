/// A piece of news of a session.
public enum SessionUpdate: Sendable {
    /// A state, and the operations that lead a view to it.
    case state(SessionState, [ViewOperation])
    /// The connection, by which the client hears of what others do.
    case connection(Connection)
    /// The number of inputs that the server has not answered.
    case waiting(Int)
    /// An attempt at an input has decided nothing: there will be another.
    case delayed(Problem)
    /// The session is over, or this client may not see it.
    case gone(Problem)
}

/// The record of what a client knows of its session.
struct SessionRecord {
    private var newest: Snapshot
    private(set) var connection = Connection.reconnecting
    private(set) var ending: Problem?
    /// Counts the states that were taken: one that came while a connection was made goes before the connection's first.
    private var taken = 0
    private var takenAtConnect: Int?
    private var isHidden = false

    init(_ opened: Snapshot) {
        newest = opened
    }

    var state: SessionState { newest.state }

    var isOver: Bool { connection == .ended }

    /// The first news of who begins to follow.
    var beginning: [SessionUpdate] {
        [.state(state, ViewOperation.leading(from: nil, to: state)), .connection(connection)]
    }

    /// A connection begins: its first state may be older than one seen before.
    mutating func connecting() {
        takenAtConnect = taken
    }

    /// Takes the state that an answer tells, unless it is older.
    mutating func answer(_ snapshot: Snapshot) -> [SessionUpdate] {
        isOlder(snapshot) ? [] : take(snapshot)
    }

    /// Takes what the connection tells, of which the first state may be older: a crash takes back what was not yet durable,
    /// and a backup more than that.
    mutating func follow(_ snapshot: Snapshot) -> [SessionUpdate] {
        isOlder(snapshot) && takenAtConnect != taken ? [] : take(snapshot)
    }

    /// Answers and the stream come in any order, and an answer that is given again may be of long ago.
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

    /// Nobody looks, or somebody looks again.
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
        // A connection that is let go of may have something to say still.
        if new == connection || isOver || (isHidden && new != .ended) { return [] }
        connection = new
        return [.connection(new)]
    }

    mutating func end(_ problem: Problem) -> [SessionUpdate] {
        if ending != nil { return [] }
        ending = problem
        return [.gone(problem)] + connect(.ended)
    }

    /// Takes an ending back that was a denial: there is another token.
    mutating func resume() -> [SessionUpdate] {
        ending = nil
        connection = isHidden ? .hidden : .reconnecting
        return [.connection(connection)]
    }
}

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
    private(set) var state: SessionState
    private(set) var connection = Connection.reconnecting
    private(set) var ending: Problem?
    /// Counts the states that were taken: which of two came first on the server, revisions alone do not tell after a crash.
    private var taken = 0
    private var takenAtConnect: Int?
    private var isHidden = false

    init(_ state: SessionState) {
        self.state = state
    }

    var isOver: Bool { connection == .ended }

    /// The first news of who begins to follow.
    var beginning: [SessionUpdate] {
        [.state(state, ViewOperation.leading(from: nil, to: state)), .connection(connection)]
    }

    /// A connection begins: its first state may be older than one seen before.
    mutating func connecting() {
        takenAtConnect = taken
    }

    /// Answers and the stream come in any order, and a repeated answer is an old one: older states are passed over, but for
    /// the first of a connection, since a crash may take back what was not yet durable.
    mutating func take(_ new: SessionState) -> [SessionUpdate] {
        if ending != nil { return [] }
        let isOlder = new.revision < state.revision
        if isOlder, takenAtConnect != taken { return [] }
        let operations = ViewOperation.leading(from: state, to: new)
        let isNews = new.revision != state.revision || !operations.isEmpty || new.ended != nil
        takenAtConnect = nil
        state = new
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
}

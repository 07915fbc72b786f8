import Synchronization
import UsherHTTP
import UsherSessions

/// One client that is shown a session's states as server-sent events (the HTML standard, section 9.2).
///
/// A reader that is too slow for all of them misses some: a `gap` event says so, and the newest state follows. A state is
/// always complete, so nothing else is lost.
final class EventStream: SessionWatcher {
    private struct State {
        /// The newest revision that was sent; nil until the first.
        var sent: Int?
        /// What came before the first was sent.
        var early: Sighting?
        /// Whether states were left out, for want of room.
        var isBehind = false
    }

    /// The response's body.
    let body: BodyStream
    private let state = Mutex(State())
    private let catchUp: @Sendable (EventStream) -> Void

    /// Room for a few of the largest states.
    private static let capacity = 256 * 1024

    /// Makes a stream.
    ///
    /// - Parameter catchUp: Fetches the newest state for a reader that has missed some; see `show(_:isGap:)`.
    init(catchUp: @escaping @Sendable (EventStream) -> Void) {
        body = BodyStream(capacity: Self.capacity)
        self.catchUp = catchUp
    }

    /// Begins with the session's state, for a client that may know an earlier one.
    ///
    /// - Parameters:
    ///   - snapshot: The state as it stands.
    ///   - known: What the client has seen last: an event's id.
    func begin(with snapshot: Snapshot, known: String?) {
        let early = state.withLock { state -> Sighting? in
            state.sent = snapshot.revision
            let id = ServerSentEvent.id(snapshot.revision, snapshot.epoch)
            guard known != id else { return state.early }
            let isNext = known == nil || known == ServerSentEvent.id(snapshot.revision - 1, snapshot.epoch)
            if !isNext { _ = body.send(ServerSentEvent.gap) }
            _ = body.send(ServerSentEvent.state(snapshot.state, id: id))
            return state.early
        }
        if let early { see(early) }
    }

    /// Shows the newest state to a reader that has missed some.
    func show(_ snapshot: Snapshot) {
        let isMissed = state.withLock { state -> Bool in
            let id = ServerSentEvent.id(snapshot.revision, snapshot.epoch)
            state.isBehind =
                !body.send(ServerSentEvent.gap) || !body.send(ServerSentEvent.state(snapshot.state, id: id))
            state.sent = max(state.sent ?? 0, snapshot.revision)
            return state.isBehind
        }
        if isMissed { awaitRoom() }
    }

    func see(_ sighting: Sighting) {
        let isMissed = state.withLock { state -> Bool in
            guard let sent = state.sent else {
                state.early = sighting
                return false
            }
            guard sighting.revision > sent, !state.isBehind else { return false }
            let id = ServerSentEvent.id(sighting.revision, sighting.epoch)
            state.isBehind = !body.send(ServerSentEvent.state(sighting.state, id: id))
            state.sent = sighting.revision
            return state.isBehind
        }
        if isMissed { awaitRoom() }
        if sighting.isEnd { body.finish() }
    }

    private func awaitRoom() {
        body.onDrain { [self] in catchUp(self) }
    }

    func seeEnd() {
        _ = body.send(ServerSentEvent.end)
        body.finish()
    }

    /// Keeps the connection alive, and finds out whether the client is still there.
    func beat() {
        if body.isEmpty { _ = body.send(ServerSentEvent.comment) }
    }

    /// Ends it because the server does; the client comes back to the next one.
    func drain() {
        _ = body.send(ServerSentEvent.retry)
        body.finish()
    }
}

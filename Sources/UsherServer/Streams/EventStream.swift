import Synchronization
import UsherHTTP
import UsherJSON
import UsherMetrics
import UsherProcess
import UsherSessions

/// A client that receives a session's states as server-sent events (the HTML standard, section 9.2).
///
/// A slow reader may miss states. The reader then receives an event `gap` and the newest state, and lacks nothing,
/// because each state is complete.
final class EventStream: SessionWatcher {
    fileprivate struct State {
        let representation: Representation
        /// The newest revision that was sent; nil before the first.
        var sent: Int?
        /// The epoch of `sent`, if a crash can lose revisions.
        var epoch: String?
        /// The newest state that has not been sent yet.
        var missed: SharedSnapshot?
        /// Refused inputs that arrived before the first state was sent.
        var refusals: [RefusedInput] = []
        /// The last event, once the session has ended or is on hold.
        var end: [UInt8]?
        /// The `MonotonicClock` time since which the stream waits for its reader; nil if it does not wait.
        var awaitsRoomSince: Int64?

        init(of representation: Representation) {
            self.representation = representation
        }
    }

    let body = BodyStream(capacity: EventStream.capacity)
    private let state: Mutex<State>
    /// A Boolean value that indicates whether refused inputs are sent, too, which only the operator receives.
    private let tellsRefusals: Bool
    /// Counts how often streams had to wait for their readers.
    private let stalls: Counter
    /// Counts the bytes of states that wait for the readers of all streams.
    private let waiting: WaitingBytes

    /// The buffer's size in bytes, enough for a few of the largest states.
    private static let capacity = 256 * 1024

    init(
        of representation: Representation = .whole, tellingRefusals tellsRefusals: Bool = false,
        stalls: Counter = Counter(), waiting: WaitingBytes = WaitingBytes()
    ) {
        self.tellsRefusals = tellsRefusals
        state = Mutex(State(of: representation))
        self.stalls = stalls
        self.waiting = waiting
    }

    /// Sends the session's state, unless the client already has it.
    ///
    /// `known` is the id of the last event that the client received. `refused` are the inputs that were refused before,
    /// in order. They may include inputs that the stream has already received.
    func begin(with first: SharedSnapshot, known: String?, refused: [RefusedInput] = []) {
        state.withLock { state in
            state.sendFirst(first, known: known, to: body)
            let numbers = Set(refused.map(\.number))
            let later = state.refusals.filter { !numbers.contains($0.number) }
            for input in refused + later { _ = body.send(ServerSentEvent.refused(input)) }
            state.refusals = []
        }
        goOn()
    }

    func see(_ newest: SharedSnapshot) {
        state.withLock { state in
            // If there is no room, only the newest state is stored.
            if state.isNews(newest.snapshot) { state.missed = newest }
        }
        goOn()
    }

    /// Sends a refused input, unless the reader is too slow.
    func see(_ refused: RefusedInput) {
        guard tellsRefusals else { return }
        state.withLock { state in
            guard state.sent != nil else { return state.hold(refused) }
            _ = body.send(ServerSentEvent.refused(refused))
        }
    }

    func end(_ reason: WatchEnd) {
        let event: [UInt8]
        switch reason {
        case .restart: return drain()
        case .over(let tombstone): event = ServerSentEvent.end(tombstone)
        case .held(let reason): event = ServerSentEvent.held(Problem(reason))
        }
        state.withLock { $0.end = event }
        goOn()
    }

    /// Sends the newest state and the end; if there is no room, sends them after the reader has emptied the buffer.
    private func goOn() {
        guard state.withLock({ $0.lacksRoom(in: body, waiting) }) else { return }
        stalls.add()
        body.onDrain { [self] in
            state.withLock { $0.awaitsRoomSince = nil }
            goOn()
        }
    }

    /// Sends a comment, which keeps the connection alive and shows whether the client is gone.
    func beat() {
        if body.isEmpty { _ = body.send(ServerSentEvent.comment) }
    }

    var awaitsRoomSince: Int64? { state.withLock { $0.awaitsRoomSince } }

    /// Closes the stream, because too many bytes wait for its reader; the client may connect again.
    func abort() {
        body.close()
        state.withLock { $0.missed = nil }
    }

    /// Ends the stream, because the server stops; the client then connects to the next server.
    func drain() {
        _ = body.send(ServerSentEvent.retry)
        body.finish()
    }
}

extension EventStream.State {
    /// Stores a refused input until the stream starts; stores at most as many as a session does.
    fileprivate mutating func hold(_ refused: RefusedInput) {
        if refusals.count == RefusedInput.limit { refusals.removeFirst() }
        refusals.append(refused)
    }

    /// Sends the first state, unless the client already has it.
    fileprivate mutating func sendFirst(_ first: SharedSnapshot, known: String?, to body: BodyStream) {
        let snapshot = first.snapshot
        (sent, epoch) = (snapshot.revision, snapshot.epoch)
        let id = ServerSentEvent.id(snapshot.revision, snapshot.epoch)
        guard known != id else { return }
        let isNext = known == nil || known == ServerSentEvent.id(snapshot.revision - 1, snapshot.epoch)
        let isBaseKnown = known == ServerSentEvent.id(snapshot.baseRevision, snapshot.epoch)
        let part = first.part(for: representation, isBaseKnown: isBaseKnown)
        _ = body.send(ServerSentEvent.state(part, id: id, afterGap: !isNext))
    }

    /// Returns `true` for a state that is newer than the newest known one.
    ///
    /// A state of another epoch is always newer. Its revision can be lower, because a crash may have undone revisions.
    fileprivate func isNews(_ snapshot: Snapshot) -> Bool {
        guard let missed = missed?.snapshot else { return isUnsent(snapshot) }
        return snapshot.epoch != missed.epoch || snapshot.revision > missed.revision
    }

    private func isUnsent(_ snapshot: Snapshot) -> Bool {
        guard let sent else { return true }
        return snapshot.epoch != epoch || snapshot.revision > sent
    }

    /// Sends as much as possible; returns `true` if the stream now waits for room, so that the caller must arrange
    /// another attempt.
    fileprivate mutating func lacksRoom(in body: BodyStream, _ waiting: WaitingBytes) -> Bool {
        guard awaitsRoomSince == nil, !sendAll(to: body, waiting) else { return false }
        awaitsRoomSince = MonotonicClock.now
        return true
    }

    /// Sends everything that waits; returns `false` if the body had no room for everything.
    private mutating func sendAll(to body: BodyStream, _ waiting: WaitingBytes) -> Bool {
        // States that arrive before the first state is sent must wait.
        guard let sent, !body.isOver else { return true }
        if let missed {
            // If memory is scarce, slow readers miss states sooner: the buffer must be empty before more is added.
            if isUnsent(missed.snapshot) {
                guard !waiting.isScarce || body.isEmpty, send(missed, after: sent, to: body) else { return false }
            }
            self.missed = nil
        }
        guard let end, !body.isOver else { return true }
        guard body.send(end) else { return false }
        body.finish()
        return true
    }

    private mutating func send(_ state: SharedSnapshot, after sent: Int, to body: BodyStream) -> Bool {
        let snapshot = state.snapshot
        let id = ServerSentEvent.id(snapshot.revision, snapshot.epoch)
        let isSameEpoch = snapshot.epoch == epoch
        let isNext = isSameEpoch && snapshot.revision == sent + 1
        let part = state.part(for: representation, isBaseKnown: isSameEpoch && snapshot.baseRevision == sent)
        guard body.send(ServerSentEvent.state(part, id: id, afterGap: !isNext)) else { return false }
        (self.sent, epoch) = (snapshot.revision, snapshot.epoch)
        return true
    }
}

extension SharedSnapshot {
    /// Returns the part of the state for a client, which may have the state on which the changes are based.
    fileprivate func part(for representation: Representation, isBaseKnown: Bool) -> SharedSnapshot {
        representation.extent(isBaseKnown: isBaseKnown).map { reduced(to: $0) } ?? self
    }
}

/// The events of a session's stream as bytes (the HTML standard, section 9.2.5).
enum ServerSentEvent {
    /// An empty comment that keeps the connection alive.
    static let comment = Array(":\n\n".utf8)
    /// Makes the client connect again after a second.
    static let retry = Array("retry: 1000\n\n".utf8)

    /// Returns the event with a state, whose JSON contains no line feeds, because line feeds in strings are escaped.
    ///
    /// The state's bytes are shared with other streams. If revisions were left out, an event `gap` precedes the state.
    static func state(_ state: SharedSnapshot, id: String, afterGap isAfterGap: Bool) -> [BodyPiece] {
        let gap = isAfterGap ? "event: gap\ndata: {}\n\n" : ""
        return [
            BodyPiece(Array("\(gap)id: \(id)\nevent: state\ndata: ".utf8)),
            BodyPiece(state.snapshot.state, holding: state), BodyPiece(ending),
        ]
    }

    /// Returns the last event of a session that has ended; its data describe the end, if it is known.
    static func end(_ tombstone: Tombstone?) -> [UInt8] {
        Array("event: end\ndata: ".utf8) + (tombstone?.json ?? Array("{}".utf8)) + ending
    }

    /// Returns the last event of a session on hold; its data are the body of `problem`, the response to every request.
    static func held(_ problem: Problem) -> [UInt8] {
        Array("event: held\ndata: ".utf8) + problem.json + ending
    }

    /// Returns the event with a refused input.
    ///
    /// The event has no id, because the input has no revision. A client that connects again therefore receives all
    /// refused inputs that the session still stores.
    static func refused(_ refused: RefusedInput) -> [UInt8] {
        Array("event: refused\ndata: ".utf8) + refused.json + ending
    }

    private static let ending = Array("\n\n".utf8)

    /// Returns a revision as an event's id.
    static func id(_ revision: Int, _ epoch: String?) -> String {
        epoch.map { "\(revision).\($0)" } ?? "\(revision)"
    }
}

extension RefusedInput {
    /// The input as the event's data.
    fileprivate var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("number", number)
            if let revision { writer.member("revision", revision) }
            writer.member("time", WallTime.text(time))
            writer.member("status", status)
            writer.member("detail", reason)
            // Line feeds between the values of the body must be removed, because they would end the event's data.
            if let input { writer.member("input", raw: Array(JSONText.oneLine(input).utf8)) }
        }
    }
}

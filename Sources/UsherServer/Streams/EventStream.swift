import Synchronization
import UsherHTTP
import UsherJSON
import UsherMetrics
import UsherProcess
import UsherSessions

/// One client that is shown a session's states as server-sent events (the HTML standard, section 9.2).
///
/// A reader that is too slow for all of them misses some: a `gap` event says so, and the newest state follows. A state is
/// always complete, so nothing else is lost.
final class EventStream: SessionWatcher {
    fileprivate struct State {
        /// The form in which states are sent.
        let representation: Representation
        /// The newest revision that was sent; nil until the first.
        var sent: Int?
        /// Its epoch, where a crash can take revisions back.
        var epoch: String?
        /// The newest state that could not be sent yet.
        var missed: SharedSnapshot?
        /// Refused inputs that came before the first state was sent.
        var refusals: [RefusedInput] = []
        /// The last event, once the session is over or on hold.
        var end: [UInt8]?
        /// Backpressure: nothing is sent until the reader has taken what is buffered, for which it has been waited since
        /// this time by the `MonotonicClock`.
        var awaitsRoomSince: Int64?

        init(of representation: Representation) {
            self.representation = representation
        }
    }

    /// The response's body.
    let body = BodyStream(capacity: EventStream.capacity)
    private let state: Mutex<State>
    /// Set where it tells of refused inputs, too: the operator's.
    private let tellsRefusals: Bool
    /// Counts how often its reader had to be waited for.
    private let stalls: Counter
    /// The states that wait for all streams' readers.
    private let waiting: WaitingBytes

    /// Room for a few of the largest states.
    private static let capacity = 256 * 1024

    /// Makes a stream that has sent nothing yet.
    ///
    /// - Parameters:
    ///   - representation: The form in which states are sent.
    ///   - tellsRefusals: Set to tell of refused inputs, too.
    ///   - stalls: Counts how often its reader had to be waited for.
    ///   - waiting: The states that wait for all streams' readers.
    init(
        of representation: Representation = .whole, tellingRefusals tellsRefusals: Bool = false,
        stalls: Counter = Counter(), waiting: WaitingBytes = WaitingBytes()
    ) {
        self.tellsRefusals = tellsRefusals
        state = Mutex(State(of: representation))
        self.stalls = stalls
        self.waiting = waiting
    }

    /// Begins with the session's state, for a client that may know an earlier one.
    ///
    /// - Parameters:
    ///   - first: The state as it stands.
    ///   - known: The id of the last event that the client has seen.
    ///   - refused: The inputs that were refused before, in their order; of those that the stream has seen since it watches
    ///     some may be among them.
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
            // Without room the newest is all that is remembered, whatever comes meanwhile.
            if state.isNews(newest.snapshot) { state.missed = newest }
        }
        goOn()
    }

    /// Tells of a refused input; a reader that is too slow misses it.
    func see(_ refused: RefusedInput) {
        guard tellsRefusals else { return }
        state.withLock { state in
            guard state.sent != nil else { return state.hold(refused) }
            _ = body.send(ServerSentEvent.refused(refused))
        }
    }

    func seeEnd(_ tombstone: Tombstone?) {
        finish(with: ServerSentEvent.end(tombstone))
    }

    func seeHold(_ reason: HoldReason) {
        finish(with: ServerSentEvent.held(Problem(reason)))
    }

    private func finish(with end: [UInt8]) {
        state.withLock { $0.end = end }
        goOn()
    }

    func restart() {
        drain()
    }

    /// Sends the newest state and the end; without room, as soon as the body has drained.
    private func goOn() {
        guard state.withLock({ $0.lacksRoom(in: body, waiting) }) else { return }
        stalls.add()
        body.onDrain { [self] in
            state.withLock { $0.awaitsRoomSince = nil }
            goOn()
        }
    }

    /// Keeps the connection alive, and finds out whether the client is still there.
    func beat() {
        if body.isEmpty { _ = body.send(ServerSentEvent.comment) }
    }

    /// Since when its reader has been waited for, by the `MonotonicClock`; nil while it need not be.
    var awaitsRoomSince: Int64? { state.withLock { $0.awaitsRoomSince } }

    /// Closes it, for its reader holds too much of what others need; the client may come back.
    func abort() {
        body.close()
        state.withLock { $0.missed = nil }
    }

    /// Ends it because the server does; the client comes back to the next one.
    func drain() {
        _ = body.send(ServerSentEvent.retry)
        body.finish()
    }
}

extension EventStream.State {
    /// Holds a refused input until the stream begins: the last of them, as many as a session keeps.
    fileprivate mutating func hold(_ refused: RefusedInput) {
        if refusals.count == RefusedInput.limit { refusals.removeFirst() }
        refusals.append(refused)
    }

    /// Sends the state that the stream begins with, unless it is the one that the client knows.
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

    /// True for a state that follows the newest one that is known here.
    ///
    /// In another epoch revisions may have been taken back, and then lower ones follow.
    fileprivate func isNews(_ snapshot: Snapshot) -> Bool {
        guard let missed = missed?.snapshot else { return isUnsent(snapshot) }
        return snapshot.epoch != missed.epoch || snapshot.revision > missed.revision
    }

    private func isUnsent(_ snapshot: Snapshot) -> Bool {
        guard let sent else { return true }
        return snapshot.epoch != epoch || snapshot.revision > sent
    }

    /// Sends all that it can, and begins to wait for room where that was not all.
    ///
    /// - Returns: True where it begins to wait, so that its caller arranges the retry.
    fileprivate mutating func lacksRoom(in body: BodyStream, _ waiting: WaitingBytes) -> Bool {
        guard awaitsRoomSince == nil, !sendAll(to: body, waiting) else { return false }
        awaitsRoomSince = MonotonicClock.now
        return true
    }

    /// - Returns: False where the body had no room for all.
    private mutating func sendAll(to body: BodyStream, _ waiting: WaitingBytes) -> Bool {
        // States that come before the first was sent wait for it.
        guard let sent, !body.isOver else { return true }
        if let missed {
            // A slow reader misses states sooner where memory is scarce: those that wait are sent first.
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
    /// The part of it that is sent to a client.
    ///
    /// - Parameters:
    ///   - representation: The form in which the client takes states.
    ///   - isBaseKnown: Set where the client has the state that its changes begin at.
    fileprivate func part(for representation: Representation, isBaseKnown: Bool) -> SharedSnapshot {
        representation.extent(isBaseKnown: isBaseKnown).map { reduced(to: $0) } ?? self
    }
}

/// The events of a session's stream on the wire (the HTML standard, section 9.2.5).
enum ServerSentEvent {
    /// Nothing, to keep the connection alive.
    static let comment = Array(":\n\n".utf8)
    /// The client should come back after a second.
    static let retry = Array("retry: 1000\n\n".utf8)

    /// A state, whose JSON has no line feed: there are none between values, and those in strings are escaped.
    ///
    /// - Parameters:
    ///   - state: The state, whose bytes are shared with other streams.
    ///   - id: The event's id.
    ///   - isAfterGap: Revisions before it were left out: a `gap` event says so first.
    static func state(_ state: SharedSnapshot, id: String, afterGap isAfterGap: Bool) -> [BodyPiece] {
        let gap = isAfterGap ? "event: gap\ndata: {}\n\n" : ""
        return [
            BodyPiece(Array("\(gap)id: \(id)\nevent: state\ndata: ".utf8)),
            BodyPiece(state.snapshot.state, holding: state), BodyPiece(ending),
        ]
    }

    /// The session is over; nothing follows.
    ///
    /// - Parameter tombstone: Its remains, which are the data; nil where there are none.
    static func end(_ tombstone: Tombstone?) -> [UInt8] {
        Array("event: end\ndata: ".utf8) + (tombstone?.json ?? Array("{}".utf8)) + ending
    }

    /// The session is on hold; nothing follows.
    ///
    /// - Parameter problem: The answer to every request on the session, whose body is the data.
    static func held(_ problem: Problem) -> [UInt8] {
        Array("event: held\ndata: ".utf8) + problem.json + ending
    }

    /// A refused input.
    ///
    /// It has no id, for it is no revision: who comes back is told of all that are known.
    ///
    /// - Parameter refused: The input.
    static func refused(_ refused: RefusedInput) -> [UInt8] {
        Array("event: refused\ndata: ".utf8) + refused.json + ending
    }

    private static let ending = Array("\n\n".utf8)

    /// A revision as an event's id.
    static func id(_ revision: Int, _ epoch: String?) -> String {
        epoch.map { "\(revision).\($0)" } ?? "\(revision)"
    }
}

extension RefusedInput {
    /// The input as the stream tells of it.
    fileprivate var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("number", number)
            if let revision { writer.member("revision", revision) }
            writer.member("time", WallTime.text(time))
            writer.member("status", status)
            writer.member("detail", reason)
            // A body may have been sent with line feeds between its values, which would end the event's data.
            if let input { writer.member("input", raw: Array(JSONText.oneLine(input).utf8)) }
        }
    }
}

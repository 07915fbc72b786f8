/// The state of a streamed body between its sender and the connection that reads it.
///
///     unread ── begin ──► reading ── take finds nothing ──► parked
///                            ▲────── send, finish ────────────┘
///     any of them ── close ──► gone
struct BodyStreamState {
    typealias Callback = @Sendable () -> Void

    private enum Phase {
        case unread
        case reading
        case parked
        case gone
    }

    private let capacity: Int
    private var waiting = PieceQueue()
    private var phase = Phase.unread
    private var isFinished = false
    private var drains: [Callback] = []
    private var ends: [Callback] = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    var isEmpty: Bool { waiting.isEmpty }
    var isOver: Bool { isFinished || isGone }
    private var isGone: Bool { if case .gone = phase { true } else { false } }

    /// Adds pieces; `isTaken` is `false` if there is no room or the stream is over, and `wakes` is `true` if the reader
    /// must be resumed.
    mutating func send(_ pieces: [BodyPiece]) -> (isTaken: Bool, wakes: Bool) {
        let count = pieces.reduce(0) { $0 + $1.bytes.count }
        guard !isOver, hasRoom(count) else { return (false, false) }
        waiting.append(pieces)
        return (true, count > 0 && wakes())
    }

    /// Ends the body; returns `true` if the reader must be resumed.
    mutating func finish() -> Bool {
        isFinished = true
        return wakes()
    }

    /// Registers the reader; returns `false` if the stream already has a reader.
    mutating func begin() -> Bool {
        guard case .unread = phase else { return false }
        phase = .reading
        return true
    }

    /// Removes bytes for the reader, which must be suspended for `parked`; each callback in `drained` must be called.
    mutating func take(upTo limit: Int) -> (result: BodyStream.ReadResult, drained: [Callback]) {
        if isGone { return (.end, []) }
        guard waiting.isEmpty else { return takeWaiting(upTo: limit) }
        if isFinished { return (.end, []) }
        phase = .parked
        return (.parked, [])
    }

    /// Closes the stream; the reader must be resumed if `wakes` is `true`, and each callback in `ended` must be called.
    mutating func close() -> (wakes: Bool, ended: [Callback]) {
        let wakes = wakes()
        phase = .gone
        waiting = PieceQueue()
        drains = []
        defer { ends = [] }
        return (wakes, ends)
    }

    /// Adds a callback for the time when no bytes wait, or returns `true` if the callback must be called now.
    ///
    /// If the stream is over, drops the callback.
    mutating func onDrain(_ callback: @escaping Callback) -> Bool {
        if !isOver, !isEmpty { drains.append(callback) }
        return !isOver && isEmpty
    }

    /// Adds a callback for the end, or returns `true` if the callback must be called now.
    mutating func onEnd(_ callback: @escaping Callback) -> Bool {
        if !isGone { ends.append(callback) }
        return isGone
    }

    // If no bytes wait, there is always room. Otherwise, pieces larger than the capacity could never be sent.
    private func hasRoom(_ count: Int) -> Bool {
        waiting.isEmpty || count <= capacity - waiting.count
    }

    private mutating func wakes() -> Bool {
        guard case .parked = phase else { return false }
        phase = .reading
        return true
    }

    private mutating func takeWaiting(upTo limit: Int) -> (result: BodyStream.ReadResult, drained: [Callback]) {
        let bytes = waiting.removeFirst(upTo: limit)
        guard waiting.isEmpty else { return (.bytes(bytes, waiting: waiting.count), []) }
        defer { drains = [] }
        return (.bytes(bytes, waiting: 0), drains)
    }
}

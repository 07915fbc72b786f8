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

    enum SendResult {
        case refused
        case buffered
        /// The bytes are buffered, and the reader must be resumed.
        case wake
    }

    enum TakeResult {
        /// Bytes in their parts, how many still wait, and the callbacks to call because none do.
        case bytes([ArraySlice<UInt8>], waiting: Int, drained: [Callback])
        /// Nothing: the reader must be suspended.
        case nothing
        case end
    }

    /// The fate of a callback that is registered.
    enum Registration {
        case runNow
        case keep
        case drop
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

    mutating func send(_ pieces: [BodyPiece]) -> SendResult {
        let count = pieces.reduce(0) { $0 + $1.bytes.count }
        guard !isOver, hasRoom(count) else { return .refused }
        guard count > 0 else { return .buffered }
        waiting.append(pieces)
        return wakes() ? .wake : .buffered
    }

    /// - Returns: true if the reader must be resumed.
    mutating func finish() -> Bool {
        isFinished = true
        return wakes()
    }

    /// A reader begins.
    ///
    /// - Returns: false if there was one before.
    mutating func begin() -> Bool {
        guard case .unread = phase else { return false }
        phase = .reading
        return true
    }

    mutating func take(upTo limit: Int) -> TakeResult {
        if isGone { return .end }
        guard waiting.isEmpty else { return takeWaiting(upTo: limit) }
        if isFinished { return .end }
        phase = .parked
        return .nothing
    }

    /// The reader is gone, or has sent the end.
    ///
    /// - Returns: `wakes` is true if a reader must be resumed; `ended` are the callbacks to call, each of them once.
    mutating func close() -> (wakes: Bool, ended: [Callback]) {
        let wakes = wakes()
        phase = .gone
        waiting = PieceQueue()
        drains = []
        defer { ends = [] }
        return (wakes, ends)
    }

    mutating func onDrain(_ callback: @escaping Callback) -> Registration {
        if isOver { return .drop }
        if isEmpty { return .runNow }
        drains.append(callback)
        return .keep
    }

    mutating func onEnd(_ callback: @escaping Callback) -> Registration {
        if isGone { return .runNow }
        ends.append(callback)
        return .keep
    }

    // Pieces larger than the capacity could otherwise never be sent.
    private func hasRoom(_ count: Int) -> Bool {
        waiting.isEmpty || count <= capacity - waiting.count
    }

    private mutating func wakes() -> Bool {
        guard case .parked = phase else { return false }
        phase = .reading
        return true
    }

    private mutating func takeWaiting(upTo limit: Int) -> TakeResult {
        let bytes = waiting.removeFirst(upTo: limit)
        guard waiting.isEmpty else { return .bytes(bytes, waiting: waiting.count, drained: []) }
        defer { drains = [] }
        return .bytes(bytes, waiting: 0, drained: drains)
    }
}

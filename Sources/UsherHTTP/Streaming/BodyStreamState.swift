/// Where a streamed body stands between who sends it and the connection that reads it.
///
///     unread ── begin ──► reading ── take finds nothing ──► parked
///                            ▲────── send, finish ────────────┘
///     any of them ── close ──► gone
struct BodyStreamState {
    typealias Callback = @Sendable () -> Void

    private enum Reader {
        case unread
        case reading
        case parked
        case gone
    }

    /// What became of bytes that were sent.
    enum Sent {
        case refused
        case kept
        /// They are kept, and the reader must be resumed.
        case wake
    }

    /// What the reader gets.
    enum Taken {
        /// Bytes, how many still wait, and who is to be told that none do.
        case bytes(ArraySlice<UInt8>, waiting: Int, drained: [Callback])
        /// Nothing: the reader must be suspended.
        case nothing
        case end
    }

    /// What becomes of a callback that is registered.
    enum Registration {
        case runNow
        case keep
        case drop
    }

    private let capacity: Int
    private var waiting = WaitingBytes()
    private var reader = Reader.unread
    private var isFinished = false
    private var drains: [Callback] = []
    private var ends: [Callback] = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    var isEmpty: Bool { waiting.isEmpty }
    var isOver: Bool { isFinished || isGone }
    private var isGone: Bool { if case .gone = reader { true } else { false } }

    mutating func send(_ bytes: [UInt8]) -> Sent {
        guard !isOver, hasRoom(bytes.count) else { return .refused }
        guard !bytes.isEmpty else { return .kept }
        waiting.append(bytes)
        return wakes() ? .wake : .kept
    }

    /// - Returns: whether the reader must be resumed.
    mutating func finish() -> Bool {
        isFinished = true
        return wakes()
    }

    /// A reader begins.
    ///
    /// - Returns: false if there was one before.
    mutating func begin() -> Bool {
        guard case .unread = reader else { return false }
        reader = .reading
        return true
    }

    mutating func take(upTo limit: Int) -> Taken {
        if isGone { return .end }
        guard waiting.isEmpty else { return takeWaiting(upTo: limit) }
        if isFinished { return .end }
        reader = .parked
        return .nothing
    }

    /// The reader is gone, or has sent the end.
    ///
    /// - Returns: whether a reader must be resumed, and who is to be told, each of them once.
    mutating func close() -> (wakes: Bool, ended: [Callback]) {
        let wakes = wakes()
        reader = .gone
        waiting.removeAll()
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

    // What is larger than the capacity could otherwise never be sent.
    private func hasRoom(_ count: Int) -> Bool {
        waiting.isEmpty || count <= capacity - waiting.count
    }

    private mutating func wakes() -> Bool {
        guard case .parked = reader else { return false }
        reader = .reading
        return true
    }

    private mutating func takeWaiting(upTo limit: Int) -> Taken {
        let bytes = waiting.removeFirst(upTo: limit)
        guard waiting.isEmpty else { return .bytes(bytes, waiting: waiting.count, drained: []) }
        defer { drains = [] }
        return .bytes(bytes, waiting: 0, drained: drains)
    }
}

import UsherJournal

/// The part of a request that competes with other servers: how often it has lost, and what it has read.
struct Contention {
    /// The version of the record that the request itself has read; nil where it has read none.
    var version: RecordToken?
    private var losses = 0

    /// So often a request is made again at most.
    private static let limit = 8

    /// Another server was first, or has written since.
    ///
    /// - Parameter operation: The request.
    /// - Returns: nil: it has no answer yet.
    /// - Throws: `SessionError`, where it is not made again.
    @discardableResult
    mutating func lose<Operation: SessionOperation>(
        _ operation: inout Operation
    ) throws(SessionError) -> Operation.Value? {
        losses += 1
        guard losses <= Self.limit else {
            throw .notRecorded(cause: "other servers have changed the session \(Self.limit) times meanwhile")
        }
        try operation.lose()
        return nil
    }
}

/// The doubt in whether one server alone writes a session: a server that others overtook reads before it handles an input,
/// until two readings in a row have brought nothing; to lose costs a whole replay.
struct WriterDoubt {
    /// The readings that must bring nothing until it is over.
    private var readings: Int
    /// Set where the journal has just been read, for the input that comes next.
    private var isFresh: Bool

    /// Makes one.
    ///
    /// - Parameter isRaised: Set after another server was first; the record was read since.
    init(isRaised: Bool = false) {
        readings = isRaised ? 2 : 0
        isFresh = isRaised
    }

    /// True while there is any.
    var isRaised: Bool { readings > 0 }

    /// True where an input has to wait for a reading.
    mutating func mustRead() -> Bool {
        defer { isFresh = false }
        return !isFresh
    }

    /// The journal was read.
    ///
    /// - Parameter isNews: Set where others had written.
    mutating func noteReading(isNews: Bool) {
        readings = isNews ? 2 : max(0, readings - 1)
        isFresh = true
    }
}

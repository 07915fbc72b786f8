/// The doubt in whether one server alone writes a session: a server that others overtook reads before it handles an input,
/// until two readings in a row have brought nothing; to lose costs a whole replay.
struct WriterDoubt {
    /// The readings that must bring nothing until it is over.
    private var readings: Int8
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

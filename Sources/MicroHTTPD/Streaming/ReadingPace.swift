/// Whether the reader of a stream is fast enough: what waits at the beginning of a term must be read within it.
///
/// A reader that took all has as much time as the stream likes. A byte that comes in the middle of a term waits for its
/// end, and at most one more.
struct ReadingPace {
    /// Bytes taken so far; all of them have been sent when the next part is asked for.
    private var taken = 0
    /// What must have been sent by the end of the term.
    private var goal: Int?

    /// The reader comes for more, and takes a part.
    ///
    /// - Returns: whether a new term begins.
    mutating func take(_ count: Int, waiting: Int) -> Bool {
        let sent = taken
        taken += count
        if let goal, sent < goal { return false }
        goal = taken + waiting
        return true
    }

    /// The reader comes for more, and there is nothing: it has no term until there is.
    mutating func park() {
        goal = nil
    }
}

import UsherJournal

/// Under what circumstances an idempotency key was looked up in the journal, and found to have no answer.
///
/// The finding holds only for the tree that stood then, and until it keeps another answer: a tree that is built anew may
/// have an answer to the key again.
struct KeyLookup: Sendable {
    private let tail: WriteChain
    private let answers: Int

    init(_ live: Live) {
        tail = live.tail
        answers = live.head.answers
    }

    func holds(for live: Live) -> Bool {
        tail === live.tail && answers == live.head.answers
    }
}

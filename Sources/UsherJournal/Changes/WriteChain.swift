import Synchronization

/// The changes that one tree makes to its session's record, each of which builds on the one before.
///
/// When a change fails, those that build on it must fail too, also where they have been submitted already: the chain
/// breaks with the first, and a journal writes nothing of a broken one.
///
/// In a journal with several writers, the chain carries the token of the record as its tree knows it. A journal that
/// has made a change durable moves it on; one that finds another token in its place lets the chain fall behind, and its
/// tree catches up before anything else leaves or is written. Only a change that was refused breaks the chain, for then
/// the tree has handled an input that never happened.
package final class WriteChain: Sendable {
    private enum Condition: UInt8 {
        case sound
        case behind
        case broken
    }

    /// The state of chains that several writers share, or that have broken: with one writer, most never have it.
    private final class Contents {
        var token: RecordToken?
        var outstanding: Commit?
        var failure: JournalError?
        /// The first revision that a change has brought which has not happened.
        var firstLost = Int.max
        var overtakings = 0
    }

    private let contents = Mutex<Contents?>(nil)
    private let condition = Atomic(Condition.sound.rawValue)

    /// Makes a chain in which nothing has failed.
    ///
    /// - Parameter token: The version of the record that it goes on from; nil for a record that is not there yet, and
    ///   where one writer has the journal.
    package init(at token: RecordToken? = nil) {
        if let token { change { $0.token = token } }
    }

    /// True while nothing has failed, and nobody else is known to have written.
    package var isSound: Bool { condition.load(ordering: .acquiring) == Condition.sound.rawValue }

    /// True once a change of this chain has failed: the tree behind it shows what never happened.
    package var isBroken: Bool { condition.load(ordering: .acquiring) == Condition.broken.rawValue }

    /// The reason why it broke.
    package var failure: JournalError? { isBroken ? contents.withLock { $0?.failure } : nil }

    /// Breaks the chain; the first reason counts.
    ///
    /// - Parameters:
    ///   - error: The reason.
    ///   - revision: The revision that the change has brought which has not happened; nil where that has brought none.
    package func fail(_ error: JournalError, losing revision: Int? = nil) {
        change { contents in
            contents.failure = contents.failure ?? error
            contents.firstLost = min(contents.firstLost, revision ?? .max)
            condition.store(Condition.broken.rawValue, ordering: .releasing)
        }
    }

    /// True for a revision that has not happened: the change that brought it has failed, or one before, or was left out since.
    ///
    /// The chain may also have broken by a change that brought none, such as the erasure of secrets.
    package func hasLost(_ revision: Int) -> Bool { contents.withLock { $0?.firstLost ?? .max } <= revision }

    private func change(_ body: (Contents) -> Void) {
        contents.withLock { contents in
            let present = contents ?? Contents()
            contents = present
            body(present)
        }
    }

    // MARK: Several writers

    /// The version of the record after the newest durable change; nil where it has none.
    package var token: RecordToken? { contents.withLock { $0?.token } }

    /// The commit of the newest change that expects this chain's version; it may be done.
    package var outstanding: Commit? { contents.withLock { $0?.outstanding } }

    /// Notes the commit of a change that expects this chain's version.
    ///
    /// - Parameter commit: The commit.
    package func expect(_ commit: Commit?) {
        change { $0.outstanding = commit }
    }

    /// True while others have written since, or may have: the tree has to catch up.
    package var isBehind: Bool { condition.load(ordering: .acquiring) == Condition.behind.rawValue }

    /// The number of times that it has fallen behind; nil while it is.
    package var overtakings: Int? { contents.withLock { isBehind ? nil : $0?.overtakings ?? 0 } }

    /// Moves on to a version that the journal was seen to have: a change has become durable, or the tree has caught up.
    ///
    /// - Parameter token: The version.
    package func advance(to token: RecordToken) {
        change { contents in
            contents.token = token
            guard contents.failure == nil else { return }
            condition.store(Condition.sound.rawValue, ordering: .releasing)
        }
    }

    /// Notes that the journal has another version than this, or cannot be asked; it may have been this chain's own
    /// change that made it so, and then nothing is noted.
    ///
    /// - Parameter token: The version that was asked for.
    package func fallBehind(from token: RecordToken?) {
        change { contents in
            guard contents.failure == nil, contents.token == token else { return }
            contents.overtakings += 1
            condition.store(Condition.behind.rawValue, ordering: .releasing)
        }
    }
}

import Usher
import UsherJournal

/// The part of a request that competes with other servers and with a failing journal: how often it has lost, and what it has
/// read.
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

    /// The answer showed something that has not become durable, where one server writes.
    ///
    /// - Parameter failure: The reason.
    /// - Throws: `SessionError` for that reason, where it was so again and again.
    mutating func miss(for failure: JournalError?) throws(SessionError) {
        losses += 1
        guard losses > Self.limit, let failure else { return }
        throw SessionError(writing: failure)
    }
}

/// The state of a session upon which an attempt was made whose tree is gone by now, or will be.
struct Footing: Sendable {
    /// The tree's revision.
    let revision: Int
    /// The version of the record; nil where one server writes.
    let version: RecordToken?
    private let chain: WriteChain
    private let commit: Commit?

    /// The footing of an input that comes next.
    ///
    /// - Parameters:
    ///   - revision: The tree's revision.
    ///   - chain: The chain of the tree's writes.
    ///   - commit: The newest commit of these; nil where there is nothing to wait for.
    init(at revision: Int, _ chain: WriteChain, _ commit: Commit?) {
        self.revision = revision
        version = chain.token
        self.chain = chain
        self.commit = commit
    }

    /// The reason why it has not become durable, once that is known; nil where it has.
    var failure: JournalError? {
        get async {
            await commit?.wait()
            return chain.failure
        }
    }
}

/// The handling of a link that an attempt has found out, which holds at one revision alone: another input may have made room
/// for the link since, or it may be another link that waits.
struct LinkDecision: Sendable {
    private let handling: LinkHandling
    private let revision: Int

    /// Nothing was found out: links are followed.
    static let none = LinkDecision(.follow, at: 0)

    init(_ handling: LinkHandling, at revision: Int) {
        self.handling = handling
        self.revision = revision
    }

    /// The handling of an input that comes upon a revision.
    func handling(at revision: Int) -> LinkHandling { revision == self.revision ? handling : .follow }
}

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

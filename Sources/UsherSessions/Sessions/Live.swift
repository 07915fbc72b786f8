import Usher
import UsherJournal

/// A session that is awake: its tree, and where that stands in the journal.
///
/// Not `Sendable`: it never leaves its session's lock.
final class Live {
    let id: SessionID
    let settings: SessionSettings
    let tree: Tree
    /// Where its changes are put; broken once one was not kept, and then the tree shows what never happened.
    let tail: WriteChain
    /// What goes on beside the tree; its session's.
    var ongoing = Ongoing()
    /// The newest revision that was kept when the tree was built.
    let keptRevision: Int
    var head: SessionHeader
    /// What has to be waited for until all that the tree shows is kept; nil where nothing has.
    var commit: Commit?
    var keys: RecentKeys
    var inquiry = LeakInquiry()
    /// How much of the tree's counts the server's tally has got.
    private var tallied = CoordinatorCounts()

    init(
        _ tree: Tree, head: SessionHeader, id: SessionID, settings: SessionSettings, kept: Int = 0,
        answers: [KeyedAnswer] = []
    ) {
        self.tree = tree
        self.head = head
        self.id = id
        self.settings = settings
        keptRevision = kept
        tail = WriteChain()
        keys = RecentKeys(answers)
    }

    /// Puts a change of the record into the journal.
    func submit(_ action: JournalChange.Action) {
        commit = settings.journal.submit(JournalChange(action, of: id.journalKey, at: tail))
    }

    /// An answer that shows the tree as it stands.
    func settle<Value>(_ result: Result<Value, SessionError>, isChange: Bool = false) -> Settlement<Value> {
        Settlement(result, isChange: isChange, tail: tail, commit: commit)
    }

    /// Whether nothing has to be waited for.
    var isSettled: Bool { commit?.isDone ?? true }

    /// Tells the server's tally by how much the tree's counts have grown.
    func tally() {
        settings.tally.add(tree.census - tallied)
        tallied = tree.census
    }

    /// Begins to count a tree that was built again: what it has seen has been counted already.
    func tally(after predecessor: Succession?) {
        tallied = predecessor?.tallied ?? tree.census
        if predecessor == nil { settings.tally.wake(tree.census.live) }
        tally()
    }

    /// What a tree that is dropped leaves to the next.
    ///
    /// - Parameter leakCount: How many leaks it had before the input that broke it; all where nil.
    func succession(leakCount: Int? = nil) -> Succession {
        Succession(
            identifiers: tree.identifiers, leaks: tree.leaks, leakCount: leakCount ?? tree.census.leaked,
            tallied: tallied, inquiry: inquiry)
    }

    /// Gives the tree's memory back; the session goes on in the journal alone.
    ///
    /// - Returns: The coordinators that did not leave memory.
    func hibernate() -> [Leak] {
        settings.tally.hibernate(tallied.live)
        settings.metrics.app(head.app).count(.hibernated)
        return tree.end()
    }
}

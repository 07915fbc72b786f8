import Usher
import UsherJournal
import UsherProcess

/// A reading of what other servers have written to a session, which its tree then handles.
///
/// Not at once under the lock but in stretches, for there may be much of it; meanwhile nobody else uses the tree.
struct CatchUp: Sendable {
    private let session: Session

    private var settings: SessionSettings { session.settings }

    /// Makes one for a request.
    init(of session: Session) {
        self.session = session
    }

    /// Reads, and lets the tree handle what has come; or waits for the request that does.
    ///
    /// - Returns: The version that this request has read, where the tree stands at it now.
    /// - Throws: `SessionError`, where the journal cannot be read; the tree stays behind.
    func run() async throws(SessionError) -> RecordToken? {
        try await settings.waitForVerdict(on: .session(session.id))
        switch await session.locked({ $0.state.beginCatchingUp() }) {
        case .none: return nil
        case .wait:
            // The reading may have begun before this request.
            if let error = await session.waitForWaker() { throw error }
            return nil
        case .read(let newest):
            let result = await read(since: newest)
            await end(result)
            switch result {
            case .caughtUp(let head): return head.token
            case .dropped, .ended: return nil
            case .failed(let error): throw error
            }
        }
    }

    private func read(since newest: PendingCommit) async -> CatchUpResult {
        // The tree's own changes first: they expect what the tree stands on.
        guard let peers = settings.peers, case .success(let version?) = await newest.wait() else { return .dropped }
        do throws(JournalError) {
            switch try await peers.growth(of: session.id.journalKey, since: version) {
            case .further(let head, let entries, let answers)?:
                return await follow(FollowedGrowth(head, entries, answers, of: session.id, settings))
            case .ended(let head)?: return .ended(head)
            case .another?, nil: return .dropped
            }
        } catch {
            return .failed(SessionError(reading: error))
        }
    }

    private func follow(_ growth: FollowedGrowth) async -> CatchUpResult {
        guard !growth.isKnownToCrash else { return .dropped }
        var isCaughtUp = false
        while !isCaughtUp {
            let result: Bool? = await session.locked { guarded in
                // A replay of the whole record says why the tree cannot follow.
                guard let awake = guarded.state.follower else { return nil }
                defer { awake.flight.end() }
                return try? awake.follow(growth)
            }
            guard let result else { return .dropped }
            isCaughtUp = result
        }
        return .caughtUp(growth.head)
    }

    private func end(_ result: CatchUpResult) async {
        let (waiters, leaks) = await session.locked { $0.endCatchingUp(result) }
        switch result {
        case .caughtUp: session.commit()
        case .ended:
            session.whenFree { [session] in session.stop($0) }
            settings.leave(session)
        case .dropped, .failed: break
        }
        if !leaks.isEmpty { settings.observe(.leaked(session.id, leaks)) }
        for waiter in waiters { waiter(result.error) }
    }
}

/// The result of reading what other servers have written.
private enum CatchUpResult: Sendable {
    /// The tree stands at the end of the record.
    case caughtUp(RecordHead)
    /// The record is another, or the tree cannot follow: it has to be built again.
    case dropped
    /// Another server has ended the session.
    case ended(RecordHead)
    case failed(SessionError)

    /// The error for those who waited for it.
    var error: SessionError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension GuardedSession {
    /// Catching up has ended.
    ///
    /// - Returns: Those who wait for it, and coordinators of an ended session that did not leave memory.
    fileprivate mutating func endCatchingUp(
        _ result: CatchUpResult
    ) -> ([SessionState<AwakeSession>.Waiter], [Leak]) {
        switch result {
        case .caughtUp(let head):
            work.goOn(from: head.header.revision)
            return (state.endCatchingUp(.stays), [])
        case .failed: return (state.endCatchingUp(.stays), [])
        case .dropped:
            work.undo()
            return (state.endCatchingUp(.dropped), [])
        case .ended(let head):
            guard let awake = state.follower, let tombstone = Tombstone(head.header) else { return ([], []) }
            awake.flight.begin(.end)
            defer { awake.flight.end() }
            let leaks = awake.leave()
            return (state.endCatchingUp(.over(.ended(tombstone, at: head.token))), leaks)
        }
    }
}

/// The entries that other servers have written, as a tree handles them again, a stretch at a time.
final class FollowedGrowth: Sendable {
    /// The record's header and version after them.
    let head: RecordHead
    /// The answers to keys that the record has.
    let answers: [KeyedAnswer]
    private let entries: [Entry]
    private let replay: Replay
    private let settings: SessionSettings
    private let id: SessionID

    /// So many entries are handled at a time.
    private static let stretch = 64
    /// So many states are shown to those who watch; of more only the last.
    private static let shownLimit = 16

    init(
        _ head: RecordHead, _ entries: [Entry], _ answers: [KeyedAnswer], of id: SessionID, _ settings: SessionSettings
    ) {
        self.head = head
        self.answers = answers
        self.entries = entries
        self.settings = settings
        self.id = id
        replay = Replay([], apps: settings.apps, stateLimit: settings.bounds.stateLimit)
    }

    /// True where one of them is known to end the process.
    var isKnownToCrash: Bool {
        guard let crash = settings.guilty.replay(of: id.journalKey) else { return false }
        return entries.contains { $0.revision == crash.identity.revision }
    }

    /// Lets a tree handle the next stretch.
    ///
    /// - Returns: True where it was the last.
    /// - Throws: An error where the tree cannot follow.
    func handleStretch(on tree: Tree, of awake: AwakeSession) throws -> Bool {
        let rest = entries.drop { $0.revision <= tree.revision }
        guard let first = rest.first else { return true }
        awake.flight.begin(.replay, at: first.revision)
        for entry in rest.prefix(Self.stretch) {
            // Back to an earlier revision: only a replay of the whole record leads there.
            guard entry.kind != .divergence else { throw Divergence(entry, found: "an earlier revision") }
            awake.flight.advance(to: entry.revision)
            try replay.handle(entry, on: tree)
            try show(entry, on: tree, of: awake)
        }
        return rest.count <= Self.stretch
    }

    /// The revisions whose secrets the journal need not have any more, and may have.
    func erasable(after revisions: [Int]) -> [Int] {
        let secret = Set(entries.filter { !$0.secrets.isEmpty && !$0.isErased }.map(\.revision))
        return revisions.filter(secret.contains)
    }

    /// Shows a state to those who watch, and tells the answers that wait of the input.
    private func show(_ entry: Entry, on tree: Tree, of awake: AwakeSession) throws {
        if awake.work.hasWaits {
            for wait in awake.work.follow(try Input(entry).content, on: tree) {
                wait.end(awake.pending(.success(awake.snapshot(changes: wait.changes))))
            }
        }
        if entries.count <= Self.shownLimit || entry.revision == entries.last?.revision { awake.showState() }
    }
}

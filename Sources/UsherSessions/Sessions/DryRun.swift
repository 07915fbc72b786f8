import Synchronization
import Usher
import UsherJSON
import UsherJournal
import UsherProcess

/// A dry run: a copy of the process handles an input first, where undoing it would be the replay of a long history.
///
/// The copy has the tree as it stands, and says whether it broke. So a refused input costs a fork, whatever the history is
/// long, and a tree that is worth keeping never breaks. Sites at which nothing is refused need none.
struct DryRun: Sendable {
    /// The time that one may take; what takes longer is handled without, and undone by replay.
    private static let seconds = 3

    /// The input, as it is known once it was tried.
    let identity: GuiltyInput.Identity
    let site: RefusalSite
    /// The revision upon which the input comes, and the commit that has brought it.
    let revision: Int
    let commit: PendingCommit
    private let content: InputContent
    private let link: LinkHandling

    /// Makes a dry run.
    ///
    /// - Parameters:
    ///   - content: The input.
    ///   - link: The handling of a link.
    ///   - identity: Its identity.
    ///   - site: Its site in the app.
    ///   - revision: The revision upon which it comes.
    ///   - commit: The tree's newest change.
    init(
        _ content: InputContent, _ link: LinkHandling, _ identity: GuiltyInput.Identity, at site: RefusalSite,
        upon revision: Int, _ commit: PendingCommit
    ) {
        self.revision = revision
        self.commit = commit
        self.identity = identity
        self.site = site
        self.content = content
        self.link = link
    }

    /// Lets a copy of the process handle the input.
    ///
    /// - Returns: nil where the tree is at another revision by now, or there can be no copy.
    func begin(on tree: Tree, at time: Timestamp) -> ProcessCopy? {
        guard tree.revision == revision else { return nil }
        return ProcessCopy(forSeconds: Self.seconds) {
            DryRunVerdict(on: Input(content, at: time, link: link), of: tree).json
        }
    }
}

/// The verdict of a dry run.
enum DryRunVerdict: Sendable {
    /// The tree has handled the input.
    case accepted
    /// The tree is as it was: it needs no copy to find that out.
    case harmless
    /// The input has broken the tree, and spent ids.
    case refused(Rejection, spent: NextIdentifiers)

    /// Finds out, in the copy.
    init(on input: Input, of tree: Tree) {
        do throws(Rejection) {
            _ = try tree.handle(input)
            self = .accepted
        } catch {
            self = tree.isBroken ? .refused(error, spent: tree.identifiers) : .harmless
        }
    }

    /// Reads an answer of a copy.
    init?(json: [UInt8]) {
        guard let answer = try? JSONDocument(parsing: json).root else { return nil }
        switch answer[member: "verdict"]?.string {
        case "accepted": self = .accepted
        case "harmless": self = .harmless
        case let name:
            guard let kind = Rejection.Kind.names.first(where: { $0.name == name })?.kind,
                let reason = answer[member: "reason"]?.string, let screen = answer[member: "screen"]?.integer,
                let coordinator = answer[member: "coordinator"]?.integer
            else { return nil }
            var rejection = Rejection(
                kind, reason, code: answer[member: "code"]?.string, cause: answer[member: "cause"]?.string)
            rejection.undrawable = answer[member: "undrawable"].flatMap { UndrawableScreen($0) }
            self = .refused(
                rejection.retried(with: LinkHandling(in: answer)),
                spent: NextIdentifiers(screen: screen, coordinator: coordinator))
        }
    }

    /// The answer of the copy.
    var json: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 256)
        writer.beginObject()
        writer.key("verdict")
        switch self {
        case .accepted: writer.string("accepted")
        case .harmless: writer.string("harmless")
        case .refused(let rejection, let spent):
            writer.string(Rejection.Kind.names.first { $0.kind == rejection.kind }?.name ?? "")
            for (name, number) in [("screen", spent.screen), ("coordinator", spent.coordinator)] {
                writer.key(name)
                writer.integer(number)
            }
            Self.write(rejection, into: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ rejection: Rejection, into writer: inout JSONWriter) {
        writer.key("reason")
        writer.string(rejection.reason)
        for case (let name, let text?) in [("code", rejection.code), ("cause", rejection.cause)] {
            writer.key(name)
            writer.string(text)
        }
        if let screen = rejection.undrawable {
            writer.key("undrawable")
            screen.write(into: &writer)
        }
        rejection.retry?.write(into: &writer)
    }
}

extension Rejection.Kind {
    fileprivate static let names: [(name: String, kind: Rejection.Kind)] = [
        ("stale", .stale), ("invalid", .invalid), ("refused", .refused), ("limit", .limit), ("failed", .failed),
        ("undrawable", .undrawable),
    ]
}

extension AwakeSession {
    /// Says whether an input on a long history needs a dry run before it is handled.
    ///
    /// - Parameters:
    ///   - content: The input.
    ///   - link: The handling of a link.
    ///   - site: Its site in the app.
    ///   - acquitted: The input that was tried.
    /// - Returns: nil where it may be handled.
    func doubt(
        _ content: InputContent, _ link: LinkHandling, at site: RefusalSite, _ acquitted: GuiltyInput.Identity?
    ) -> Attempt<InputOutcome>? {
        guard settings.refusals.maySee(at: site) else { return nil }
        let identity = content.identity(in: id, upon: revision)
        guard identity != acquitted else { return nil }
        return .untested(DryRun(content, link, identity, at: site, upon: revision, newest))
    }
}

/// A site at which inputs are handled: an app, the name of its visible screen, and the input in words.
///
/// A hash, for each input on a long history needs one, and the texts of a `GuiltyInput.Site` take longer to make. Two sites
/// that have the same are taken for one, which costs a dry run or a replay more.
struct RefusalSite: Hashable, Sendable {
    private let hash: Int

    /// The site of an input.
    ///
    /// - Parameters:
    ///   - content: The input.
    ///   - app: The app's name.
    ///   - screen: The name of the visible screen; nil where there is none.
    init(of content: InputContent, in app: String, on screen: String?) {
        var hasher = Hasher()
        hasher.combine(app)
        if content.concernsScreen { hasher.combine(screen) }
        if case .action(.event(_, let event)) = content {
            hasher.combine(event.caseNameAndPayload?.name)
        } else {
            hasher.combine(content.summary)
        }
        hash = hasher.finalize()
    }
}

/// The sites at which inputs on long histories were handled in this process, and whether any was refused there.
///
/// A site of which nothing is known, or at which one was refused, may see another; so each costs the replay of a long
/// history at most once, and one at which nothing is refused a single dry run.
final class RefusalSites: Sendable {
    private let sites = Mutex<[RefusalSite: Bool]>([:])
    /// More sites than apps have; beyond it all are forgotten.
    private static let limit = 4_096

    /// True where an input may be refused at a site.
    func maySee(at site: RefusalSite) -> Bool { sites.withLock { $0[site] ?? true } }

    /// Notes that an input was refused at a site, or that none was.
    func note(_ isRefused: Bool, at site: RefusalSite) {
        sites.withLock { sites in
            if sites.count == Self.limit { sites = [:] }
            sites[site] = isRefused || sites[site] ?? false
        }
    }
}

/// The pace of dry runs, which rest ten times as long as they take: a fork holds up the process that it copies, and every
/// page that is written afterwards is copied.
///
/// A session waits only where it had one within the last second: a client that is refused without end slows itself, and
/// its like.
final class DryRunPace: Sendable {
    private struct State {
        /// The time that is given to the next session that waits.
        var rested: Int64 = 0
        /// The time that the last one took, at most `costLimit`.
        var cost: Int64 = 0
        /// The times of the last ones, by session.
        var last: [SessionID: Int64] = [:]
    }

    private let state = Mutex(State())

    private static let second: Int64 = 1_000_000_000
    /// So many times as long as it took is rested after each.
    private static let rest: Int64 = 10
    /// The most that is counted: a copy that loops to its end holds up nobody while it does.
    private static let costLimit: Int64 = 10_000_000
    /// More sessions than there are dry runs in a second; beyond it all are forgotten.
    private static let limit = 4_096

    /// Waits until a session may have one.
    func wait(for session: SessionID) async {
        let delay = delay(of: session, at: MonotonicClock.now)
        // A task that is cancelled waits no more.
        if delay > 0 { try? await Task.sleep(for: .nanoseconds(delay)) }
    }

    /// Gives a session its time, in the order of asking.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - now: The time, by the `MonotonicClock`.
    /// - Returns: Nanoseconds until then: a second at most, whoever asked before.
    func delay(of session: SessionID, at now: Int64) -> Int64 {
        state.withLock { state in
            let waits = state.last[session].map { now - $0 < Self.second } ?? false
            let start = waits ? max(now, state.rested) : now
            state.rested = min(max(start, state.rested) + Self.rest * state.cost, now + Self.second)
            if state.last.count >= Self.limit { state.last = [:] }
            state.last[session] = start
            return start - now
        }
    }

    /// Notes the time that one took, in nanoseconds: the next ones are taken to cost as much.
    func note(_ time: Int64) {
        state.withLock { $0.cost = min(time, Self.costLimit) }
    }
}

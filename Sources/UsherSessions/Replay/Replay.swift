package import Usher
import UsherJSON
package import UsherJournal
import UsherProcess

/// A session's entries, from which its tree can be built again.
package struct Replay: Sendable {
    let entries: [Entry]
    let apps: [any App.Type]
    let limits: Limits
    /// The marks of the session whose entries these are; nil where nobody has to know.
    private let flight: SessionFlight?
    /// Is told the revision of each entry before it is handled again; nil where nobody asks.
    private let note: (@Sendable (Int) -> Void)?

    /// Inputs that are handled in a row before others get the processor.
    private let stretch: Int
    /// A replay of no more is short.
    static let shortStretch = 64

    /// Makes a replay.
    ///
    /// - Parameters:
    ///   - entries: A session's entries of the revisions 1, 2, 3 …; time travel leaves out the newest.
    ///   - apps: The apps of this build.
    ///   - limits: The bounds of the tree.
    package init(_ entries: some Sequence<Entry>, apps: [any App.Type], limits: Limits = Limits()) {
        self.init(entries, apps: apps, limits: limits, marking: nil)
    }

    /// Makes a replay that is followed.
    ///
    /// - Parameters:
    ///   - flight: The marks of the session whose entries these are, in the flight record.
    ///   - staysOnThread: True where no other has to get the processor: it is all done on the thread that it begins on.
    ///   - note: Is told the revision of each entry before it is handled again.
    init(
        _ entries: some Sequence<Entry>, apps: [any App.Type], limits: Limits, marking flight: SessionFlight?,
        staysOnThread: Bool = false, note: (@Sendable (Int) -> Void)? = nil
    ) {
        self.entries = Array(entries)
        self.apps = apps
        self.limits = limits
        self.flight = flight
        self.note = note
        stretch = staysOnThread ? .max : Self.shortStretch
    }

    /// Builds the tree by handling every input again.
    ///
    /// - Throws: `Divergence` at the first input that does not lead to the same; `ReplayError`.
    package func tree() async throws -> sending Tree {
        try await tree(along: EffectiveHistory(entries))
    }

    func tree(along history: EffectiveHistory) async throws -> sending Tree {
        guard let first = history.entries.first, first.kind == .creation else { throw ReplayError.noCreation }
        // A long replay must not keep the thread that asked for it from its other work.
        if history.entries.count > stretch { await Task.yield() }
        flight?.begin(.replay, at: 1)
        // On the thread that it is on by then: each stretch has a mark of its own.
        defer { flight?.end() }
        note?(first.revision)
        let tree = try creation(first).tree(limits: limits)
        if history.isCreationCompared { try compare(first, with: tree) }
        for (index, entry) in history.entries.enumerated().dropFirst() {
            if index % stretch == 0 {
                flight?.end()
                await Task.yield()
                flight?.begin(.replay, at: entry.revision)
            }
            flight?.advance(to: entry.revision)
            note?(entry.revision)
            try handle(entry, on: tree)
        }
        return tree
    }

    func creation(_ entry: Entry) throws -> Creation {
        let json = try JSONDocument(parsing: entry.payload).root
        return try Creation(json, entry, apps: apps)
    }

    /// Handles an entry again.
    ///
    /// - Throws: `Divergence` where that does not lead to the same; `JSONError` for an entry that no build writes.
    func handle(_ entry: Entry, on tree: Tree) throws {
        guard entry.kind != .divergence else {
            let warning = try Resumption(entry).warning
            tree.resume(at: entry.revision, identifiers: NextIdentifiers(entry.after), warning: warning)
            return try compare(entry, with: tree)
        }
        tree.advance(to: NextIdentifiers(entry.before))
        let input = try Input(entry)
        do throws(Rejection) {
            _ = try tree.handle(input)
        } catch {
            throw Divergence(entry, found: "a refusal: \(error.reason)")
        }
        try compare(entry, with: tree)
    }

    private func compare(_ entry: Entry, with tree: Tree) throws(Divergence) {
        guard entry.revision == tree.revision else { throw Divergence(entry, found: "nothing at all") }
        guard entry.digest == tree.digest else {
            let found = tree.visibleScreen
            throw Divergence(
                entry, found: found == entry.visible ? "others below it, or to other coordinators" : Self.name(found))
        }
    }

    static func name(_ screen: String) -> String {
        screen.isEmpty ? "an empty window" : "the screen \(screen)"
    }
}

extension Divergence {
    init(_ entry: Entry, found: String) {
        self.init(
            revision: entry.revision, input: entry.summary, expected: Replay.name(entry.visible), found: found)
    }
}

extension NextIdentifiers {
    init(_ identifiers: Entry.FreeIdentifiers) {
        self.init(screen: identifiers.screen, coordinator: identifiers.coordinator)
    }
}

extension Entry.FreeIdentifiers {
    init(_ identifiers: NextIdentifiers) {
        self.init(screen: identifiers.screen, coordinator: identifiers.coordinator)
    }
}

/// A tree that was built again, as far as this build could follow its session.
struct ReplayResult {
    let tree: Tree
    /// The divergence, where it could not: the tree then stands at the input before, at a revision behind all others.
    var divergence: Divergence?
    /// The entry that says so in the session's record, for the next replay.
    var entry: Entry?
    /// Inputs that no build will follow again, and that hold secrets.
    var abandoned: [Int] = []
}

extension Replay {
    /// Builds the tree as far as this build can follow.
    ///
    /// - Parameter time: Now: a divergence is an entry of its own.
    /// - Throws: The error where it cannot even begin the session.
    func restore(at time: Timestamp) async throws -> sending ReplayResult {
        let history = try EffectiveHistory(entries)
        do {
            return ReplayResult(tree: try await tree(along: history), abandoned: abandoned(by: history))
        } catch let divergence as Divergence {
            return try await resume(history.before(divergence.revision), divergence, at: time)
        }
    }

    /// Builds the tree at an earlier revision, and goes on from there.
    ///
    /// - Parameters:
    ///   - revision: The revision.
    ///   - divergence: The entry that cannot be followed.
    ///   - time: Now: a divergence is an entry of its own.
    /// - Throws: The error where it cannot even begin the session.
    func restore(
        from revision: Int, past divergence: Divergence, at time: Timestamp
    ) async throws -> sending ReplayResult {
        try await resume(EffectiveHistory(entries).before(revision + 1), divergence, at: time)
    }

    /// The entry of a revision, if a replay would come to it.
    func followed(_ revision: Int) throws(JSONError) -> Entry? {
        try EffectiveHistory(entries).entries.first { $0.revision == revision }
    }

    private func resume(
        _ history: EffectiveHistory, _ divergence: Divergence, at time: Timestamp
    ) async throws -> sending ReplayResult {
        var history = history
        let tree = try await tree(upTo: &history)
        let entry = resume(tree, after: history, divergence, at: time)
        return ReplayResult(tree: tree, divergence: divergence, entry: entry, abandoned: abandoned(by: history))
    }

    /// Builds the tree along a history, shortened at each further divergence: a coordinator that is not deterministic may
    /// come to another end each time.
    private func tree(upTo history: inout EffectiveHistory) async throws -> sending Tree {
        while true {
            do {
                return try await tree(along: history)
            } catch let divergence as Divergence {
                history = history.before(divergence.revision)
            }
        }
    }

    private func resume(_ tree: Tree, after history: EffectiveHistory, _ divergence: Divergence, at time: Timestamp)
        -> Entry
    {
        let agreed = history.isCreationCompared ? history.entries.last?.revision ?? 0 : 0
        let revision = (entries.last?.revision ?? 0) + 1
        let resumption = Resumption(after: agreed, version: version, reason: divergence.description)
        let identifiers = entries.reduce(into: tree.identifiers) { identifiers, entry in
            identifiers = NextIdentifiers(
                screen: max(identifiers.screen, entry.after.screen),
                coordinator: max(identifiers.coordinator, entry.after.coordinator))
        }
        tree.resume(at: revision, identifiers: identifiers, warning: resumption.warning)
        return Entry(
            .divergence, revision: revision, time: time.milliseconds, before: .init(identifiers),
            after: .init(identifiers), digest: tree.digest, visible: tree.visibleScreen, payload: resumption.json)
    }

    private func abandoned(by history: EffectiveHistory) -> [Int] {
        let followed = Set(history.entries.map(\.revision))
        return entries.filter { !$0.secrets.isEmpty && !$0.isErased && !followed.contains($0.revision) }.map(\.revision)
    }

    /// The app's version in this build.
    private var version: String {
        entries.first.flatMap { try? creation($0) }?.app.version ?? ""
    }
}

/// A replay that does not lead where the session once was: this build handles one of its inputs differently.
package struct Divergence: Error, Equatable, Sendable {
    /// The revision that comes out different.
    package let revision: Int
    /// The input, such as `event close`.
    package let input: String
    /// The screen that it once led to.
    package let expected: String
    /// The screen that it leads to now.
    package let found: String
}

extension Divergence: CustomStringConvertible {
    /// One sentence for an operator.
    package var description: String {
        "input \(revision) (\(input)) once led to \(expected), and now to \(found)"
    }
}

/// Why a session cannot be replayed at all by this build.
package enum ReplayError: Error, Equatable, Sendable {
    /// Its record does not begin with a creation.
    case noCreation
    /// This build has no app of this name.
    case unknownApp(String)
}

extension ReplayError: CustomStringConvertible {
    /// One sentence for an operator.
    package var description: String {
        switch self {
        case .noCreation: "the record does not begin with a creation"
        case .unknownApp(let name): "there is no app \"\(name)\" in this build"
        }
    }
}

package import Usher
import UsherJSON
import UsherJournal
import UsherProcess

/// A session's entries, from which its tree can be rebuilt.
struct Replay: Sendable {
    let entries: [Entry]
    let apps: [any App.Type]
    /// The largest state, in bytes, that an app may permit.
    let stateLimit: Int
    /// The number of this build, for the comparison with the builds that wrote the entries; 0 for no comparison.
    let build: UInt64
    /// Sets the session's marks in the flight record; `nil` to set no marks.
    let flight: SessionFlight?
    /// Called with each screen that the client could not draw, at any revision.
    private let noteUndrawn: (@Sendable (UndrawableScreen) -> Void)?

    /// The number of inputs after which the replay lets other tasks use the thread.
    private let stretch: Int
    /// The largest number of entries that are replayed without yielding the thread.
    static let shortStretch = 64

    /// Creates a replay of a session's first entries, which have consecutive revisions.
    ///
    /// If `staysOnThread` is `true`, the replay never yields, so that it runs on one thread.
    init(
        _ entries: some Sequence<Entry>, apps: [any App.Type], stateLimit: Int = .max, by build: UInt64 = 0,
        marking flight: SessionFlight? = nil, staysOnThread: Bool = false,
        noteUndrawn: (@Sendable (UndrawableScreen) -> Void)? = nil
    ) {
        self.entries = Array(entries)
        self.apps = apps
        self.stateLimit = stateLimit
        self.build = build
        self.flight = flight
        self.noteUndrawn = noteUndrawn
        stretch = staysOnThread ? .max : Self.shortStretch
    }

    /// Rebuilds the tree by handling every input again.
    ///
    /// - Throws: `Divergence` at the first input with another result; `ReplayError`.
    func tree() async throws -> sending Tree {
        try await tree(along: EffectiveHistory(entries))
    }

    func tree(along history: EffectiveHistory, isForced: Bool = false) async throws -> sending Tree {
        var nothing: [Bool] = []
        return try await tree(along: history, isForced: isForced, noting: &nothing) { _ in nil }
    }

    /// Rebuilds the tree from a history, and appends the note that `note` returns about the tree after each entry.
    func tree<Note: Sendable>(
        along history: EffectiveHistory, isForced: Bool = false, noting notes: inout [Note],
        _ note: @Sendable (Tree) -> Note?
    ) async throws -> sending Tree {
        guard let first = history.entries.first, first.kind == .creation else { throw ReplayError.noCreation }
        // Yields, because a long replay must not block its caller's thread.
        if history.entries.count > stretch { await Task.yield() }
        flight?.begin(.replay, at: first.revision)
        // Clears the mark of the thread on which the replay ends. The replay may change threads when it yields, and
        // sets a new mark afterwards.
        defer { flight?.end() }
        let creation = try creation(first, from: history.anew)
        // If the first entry has no facts, this build has created the entries, so it knows all changes.
        let facts = try StepFacts(first)
        let changes = first.facts.isEmpty ? nil : facts.changes
        let tree = try creation.recordedTree(stateLimit: stateLimit, isReplayed: true, knowing: changes)
        var following = Following(
            history, in: entries, by: build, retired: creation.app.retiredEffects, isForced: isForced)
        do {
            if history.anew == nil {
                try following.compare(first, facts, with: tree)
            } else {
                following.skipCreation()
            }
            try await handle(history, on: tree, &following, noting: &notes, note)
        } catch {
            tellUndrawn(by: tree)
            throw error
        }
        tellUndrawn(by: tree)
        tree.follow(buildKnowing: nil)
        tree.failEffects(through: creation.copiedRevision, as: .forked)
        return tree
    }

    /// Handles all entries after the creation.
    private func handle<Note: Sendable>(
        _ history: EffectiveHistory, on tree: Tree, _ following: inout Following, noting notes: inout [Note],
        _ note: @Sendable (Tree) -> Note?
    ) async throws {
        if let first = note(tree) { notes.append(first) }
        for (index, entry) in history.entries.enumerated().dropFirst() {
            if index % stretch == 0 {
                flight?.end()
                await Task.yield()
                flight?.begin(.replay, at: entry.revision)
            }
            flight?.advance(to: entry.revision)
            try handle(entry, on: tree, &following)
            if let next = note(tree) { notes.append(next) }
        }
        try following.finish(on: tree)
        try checkDrawing(on: tree, at: history)
    }

    private func tellUndrawn(by tree: Tree) {
        if let noteUndrawn { tree.undrawn.forEach(noteUndrawn) }
    }

    /// Checks that the client can draw all screens that the tree shows after the last entry.
    ///
    /// - Throws: `Divergence` for the first input after which the client can no longer draw the screens; `ReplayError`
    ///   if this is the creation.
    private func checkDrawing(on tree: Tree, at history: EffectiveHistory) throws {
        guard let (screen, drawable) = tree.endReplay() else { return }
        let entry = history.entries.dropFirst().first { $0.revision > drawable }
        guard drawable > 0, let entry else { throw ReplayError.undrawable(screen, by: tree.client) }
        throw Divergence(
            entry,
            found: Phrase(
                "\(screen), which the client (\(tree.client)) cannot draw",
                common: "\(screen), which a client cannot draw"))
    }

    /// Parses a history's first entry; if the session begins anew, `identifiers` are the free ids.
    func creation(_ entry: Entry, from identifiers: NextIdentifiers? = nil) throws -> Creation {
        let json = try JSONDocument(parsing: entry.payload).root
        let creation = try Creation(json, entry, apps: apps)
        return identifiers.map { creation.beginning(from: $0) } ?? creation
    }

    /// Handles an entry again.
    ///
    /// - Throws: `Divergence` if the result differs; `JSONError` for an entry that no build writes.
    private func handle(_ entry: Entry, on tree: Tree, _ following: inout Following) throws {
        let facts = try StepFacts(entry)
        if facts.build != nil { tree.follow(buildKnowing: facts.changes) }
        guard entry.kind != .divergence else {
            try resume(tree, at: entry, facts)
            return try following.compare(entry, facts, with: tree)
        }
        tree.advance(to: NextIdentifiers(entry.before))
        let input = try Input(entry)
        if try !following.skips(entry, input.content, on: tree) {
            do throws(Rejection) {
                _ = try tree.handle(input, isRecorded: true)
            } catch {
                throw Divergence(entry, found: Phrase("a refusal: \(error.reason)", common: "a refusal"))
            }
        }
        try following.compare(entry, facts, with: tree)
    }

    private func resume(_ tree: Tree, at entry: Entry, _ facts: StepFacts) throws {
        tree.discardWork(Set(facts.cancelled))
        let resumption = try Resumption(entry)
        do throws(Rejection) {
            try tree.resume(
                at: entry.revision, identifiers: NextIdentifiers(entry.before), as: resumption,
                time: Timestamp(milliseconds: entry.time), isRecorded: true)
        } catch {
            throw Divergence(entry, found: Phrase("a refusal: \(error.reason)", common: "a refusal"))
        }
    }

    static func name(_ screen: String) -> String {
        screen.isEmpty ? "an empty window" : "the screen \(screen)"
    }

    /// Returns the name of a visible screen without the id that entries append.
    static func withoutID(_ screen: String) -> Substring { screen[..<(screen.lastIndex(of: " ") ?? screen.endIndex)] }
}

/// A part of a message in two forms: with a session's ids, and without ids, equal for all affected sessions.
struct Phrase: ExpressibleByStringInterpolation {
    let text: String
    let common: String

    init(_ text: String, common: String) { (self.text, self.common) = (text, common) }
    init(stringLiteral text: String) { self.init(text, common: text) }

    static func screen(_ visible: String) -> Phrase {
        Phrase(Replay.name(visible), common: Replay.name(String(Replay.withoutID(visible))))
    }

    static func screens(_ display: Display) -> Phrase {
        "the screens \(display.screens.map(\.name).joined(separator: ", "))"
    }

    static func effect(_ work: RecordedWork, _ part: String = "") -> Phrase {
        let start = part.isEmpty ? "the effect" : "\(part) the effect"
        return Phrase("\(start) \"\(work.name)\" (\(work.id))", common: "\(start) \"\(work.name)\"")
    }
}

extension Divergence {
    init(_ entry: Entry, expected: Phrase? = nil, found: Phrase, losing loss: LostFact? = nil) {
        let expected = expected ?? .screen(entry.visible)
        self.init(
            revision: entry.revision, input: entry.summary, expected: expected.text, found: found.text,
            cause: "\(entry.summary) once led to \(expected.common), and now to \(found.common)", loss: loss)
    }

    init(_ entry: Entry, found: String) { self.init(entry, found: Phrase(found, common: found)) }
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

/// A difference between a replay and the record, because this build handles an input differently.
package struct Divergence: Error, Equatable, Codable, Sendable {
    /// The revision with the different result.
    package let revision: Int
    /// The input, such as `event close`.
    package let input: String
    /// The recorded result, such as a screen.
    package let expected: String
    /// The result of this build.
    package let found: String
    /// The difference without ids, revisions and authors' texts, so that all affected sessions have the same text.
    package let cause: String
    /// The fact that this build would lose at this revision, besides facts in dropped entries; `nil` if there is none.
    package var loss: LostFact?
}

extension Divergence: CustomStringConvertible {
    /// The difference as one sentence for an operator.
    package var description: String {
        "input \(revision) (\(input)) once led to \(expected), and now to \(found)"
    }
}

/// The reason why this build cannot replay a session.
package enum ReplayError: Error, Equatable, Sendable {
    /// The record does not begin with a creation.
    case noCreation
    /// This build has no app of this name.
    case unknownApp(String)
    /// This build cannot decode the options that the session was opened with.
    case invalidOptions(String)
    /// The client cannot draw the session's first screen.
    case undrawable(UndrawableScreen, by: Client)
    /// This build cannot follow the entries, and the session may not resume at an earlier revision, usually because it
    /// would lose facts such as the result of an effect.
    case losesFacts(Divergence, [LostFact])
}

extension ReplayError: CustomStringConvertible {
    /// The reason as one sentence for an operator.
    package var description: String {
        switch self {
        case .noCreation: "the record does not begin with a creation"
        case .unknownApp(let name): "there is no app \"\(name)\" in this build"
        case .invalidOptions(let reason): "the options that the session was opened with do not decode: \(reason)"
        case .undrawable(let screen, let client): "it begins with \(screen), which the client (\(client)) cannot draw"
        case .losesFacts(let divergence, let losses):
            losses.isEmpty
                ? "\(divergence)"
                : "\(divergence); that would lose \(losses.prefix(3).map(\.description).joined(separator: ", "))"
        }
    }
}

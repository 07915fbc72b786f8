package import Usher
import UsherJSON
package import UsherJournal

/// A session's entries, from which its tree can be built again.
package struct Replay: Sendable {
    let entries: [Entry]
    let apps: [any App.Type]
    let limits: Limits

    /// Inputs that are handled in a row before others get the processor.
    private static let stretch = 64

    /// Makes a replay.
    ///
    /// - Parameters:
    ///   - entries: A session's entries of the revisions 1, 2, 3 …; time travel leaves out the newest.
    ///   - apps: The apps of this build.
    ///   - limits: How large the tree may grow.
    package init(_ entries: some Sequence<Entry>, apps: [any App.Type], limits: Limits = Limits()) {
        self.entries = Array(entries)
        self.apps = apps
        self.limits = limits
    }

    /// Builds the tree by handling every input again.
    ///
    /// - Throws: `Divergence` at the first input that does not lead to the same; `ReplayError`.
    package func tree() async throws -> sending Tree {
        try await tree(along: Path(entries))
    }

    func tree(along path: Path) async throws -> sending Tree {
        guard let first = path.entries.first, first.kind == .creation else { throw ReplayError.noCreation }
        // A long replay must not keep the thread that asked for it from its other work.
        if path.entries.count > Self.stretch { await Task.yield() }
        let tree = try creation(first).tree(limits: limits)
        if path.isCreationCompared { try compare(first, with: tree) }
        for (index, entry) in path.entries.enumerated().dropFirst() {
            if index % Self.stretch == 0 { await Task.yield() }
            try handle(entry, on: tree)
        }
        return tree
    }

    func creation(_ entry: Entry) throws -> Creation {
        let json = try JSONDocument(parsing: entry.payload).root
        return try Creation(json, entry, apps: apps)
    }

    private func handle(_ entry: Entry, on tree: Tree) throws {
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

package import Usher
import UsherJSON
package import UsherJournal

/// A session's inputs as they stand in the journal, from which its tree can be built again.
package struct Recording: Sendable {
    let key: JournalKey
    let journal: any Journal
    let apps: [any App.Type]

    /// Makes the recording of a session.
    package init(key: JournalKey, journal: any Journal, apps: [any App.Type]) {
        self.key = key
        self.journal = journal
        self.apps = apps
    }

    /// Records the session's creation.
    ///
    /// - Returns: The bytes that it takes.
    func append(_ creation: Creation, to tree: Tree) throws(JournalError) -> Int {
        let entry = Entry(
            .creation, revision: 1, time: creation.time.milliseconds, screen: 1, coordinator: 1, digest: tree.digest,
            payload: creation.json)
        return try append(entry)
    }

    /// Records an input that a tree has accepted.
    ///
    /// - Parameter identifiers: Those that were free before it.
    /// - Returns: The bytes that it takes.
    func append(_ input: Input, identifiers: Identifiers, to tree: Tree) throws(JournalError) -> Int {
        let entry = Entry(
            input.entryKind, revision: tree.revision, time: input.time.milliseconds, screen: identifiers.screen,
            coordinator: identifiers.coordinator, digest: tree.digest, payload: input.payload)
        return try append(entry)
    }

    private func append(_ entry: Entry) throws(JournalError) -> Int {
        let bytes = entry.bytes
        try journal.append(bytes, revision: entry.revision, to: key)
        return bytes.count
    }

    /// Builds the tree by handling every input again.
    ///
    /// - Parameter revision: The last revision to replay; all where nil.
    /// - Throws: `Divergence` at the first input that does not lead to the same; `JournalError`.
    package func replay(through revision: Int? = nil, limits: Limits) throws -> sending Tree {
        let entries = try entries(through: revision)
        guard let first = entries.first, first.kind == .creation else {
            throw Divergence(revision: 1, reason: "the journal has no creation of this session")
        }
        let json = try JSONDocument(parsing: first.payload).root
        let creation = try Creation(json, time: Timestamp(milliseconds: first.time), apps: apps)
        let tree = try creation.tree(limits: limits)
        try compare(first, with: tree)
        for entry in entries.dropFirst() { try replay(entry, on: tree) }
        return tree
    }

    private func replay(_ entry: Entry, on tree: Tree) throws {
        tree.advance(to: Identifiers(screen: entry.screen, coordinator: entry.coordinator))
        let input = try Input(entry)
        do throws(Rejection) {
            _ = try tree.handle(input)
        } catch {
            throw Divergence(revision: entry.revision, reason: "it was accepted, and is refused now: \(error.reason)")
        }
        try compare(entry, with: tree)
    }

    private func compare(_ entry: Entry, with tree: Tree) throws(Divergence) {
        guard entry.revision == tree.revision else {
            throw Divergence(revision: entry.revision, reason: "it was an input, and does nothing now")
        }
        guard entry.digest == tree.digest else {
            throw Divergence(revision: entry.revision, reason: "its screens or coordinators are others now")
        }
    }

    private func entries(through revision: Int?) throws(JournalError) -> [Entry] {
        let bytes = try journal.entries(of: key).prefix(revision ?? .max)
        do throws(EntryError) {
            return try bytes.map { bytes throws(EntryError) in try Entry(bytes) }
        } catch {
            throw .corrupt(error)
        }
    }
}

import Usher
import UsherJSON
import UsherJournal

/// The entries of a session that count: those on which all builds agreed that it has met.
struct Path {
    /// What has to be done again, in order.
    private(set) var entries: [Entry] = []
    /// Whether the creation must lead where it once led; not when a build already went on from another beginning.
    private(set) var isCreationCompared = true

    /// Follows a session's record.
    ///
    /// - Throws: `JSONError` for an entry that no build writes.
    init(_ record: some Sequence<Entry>) throws(JSONError) {
        for entry in record {
            if entry.kind == .divergence {
                let resumed = try Resumption(entry).revision
                // The creation is always done again; there is nothing before it to go back to.
                entries.removeLast(entries.count - entries.prefix { $0.revision <= max(1, resumed) }.count)
                if resumed == 0 { isCreationCompared = false }
            }
            entries.append(entry)
        }
    }

    /// The part of it that a build can follow.
    ///
    /// - Parameter divergence: Where it could not.
    func before(_ divergence: Divergence) -> Path {
        var path = self
        path.entries = Array(entries.prefix { $0.revision < divergence.revision })
        guard path.entries.isEmpty else { return path }
        path.entries = Array(entries.prefix(1))
        path.isCreationCompared = false
        return path
    }
}

import Usher
import UsherJSON
import UsherJournal

/// The entries of a session that are replayed, without those that a divergence dropped.
struct EffectiveHistory {
    /// The entries to be replayed, in order.
    private(set) var entries: [Entry] = []
    /// A Boolean value that indicates whether the replayed creation must match the record.
    ///
    /// It need not if an earlier build resumed from a different creation.
    private(set) var isCreationCompared = true

    /// Creates the history of a session's record.
    ///
    /// - Throws: `JSONError` for an entry that no build writes.
    init(_ record: some Sequence<Entry>) throws(JSONError) {
        var first: Int?
        for entry in record {
            let beginning = first ?? entry.revision
            first = beginning
            if entry.kind == .divergence {
                let resumed = try Resumption(entry).revision
                // The creation always remains, because there is nothing to go back to before it.
                entries.removeLast(entries.count - entries.prefix { $0.revision <= max(beginning, resumed) }.count)
                if resumed == 0 { isCreationCompared = false }
            }
            entries.append(entry)
        }
    }

    /// Returns the part of the history that a build can follow.
    ///
    /// - Parameter revision: The revision of the entry that the build could not follow.
    func before(_ revision: Int) -> EffectiveHistory {
        var history = self
        history.entries = Array(entries.prefix { $0.revision < revision })
        guard history.entries.isEmpty else { return history }
        history.entries = Array(entries.prefix(1))
        history.isCreationCompared = false
        return history
    }
}

extension Resumption {
    /// Creates the resumption that the entry of a divergence records.
    ///
    /// - Throws: `JSONError` if the payload has another shape.
    init(_ entry: Entry) throws(JSONError) {
        try self.init(JSONDocument(parsing: entry.payload).root)
    }
}

import Usher
import UsherJSON
import UsherJournal

/// The entries of a session that count: those on which all builds agreed that it has met.
struct EffectiveHistory {
    /// The entries to be replayed, in order.
    private(set) var entries: [Entry] = []
    /// Set where the creation must lead where it once led; not when a build already went on from another beginning.
    private(set) var isCreationCompared = true

    /// Follows a session's record.
    ///
    /// - Throws: `JSONError` for an entry that no build writes.
    init(_ record: some Sequence<Entry>) throws(JSONError) {
        var first: Int?
        for entry in record {
            let beginning = first ?? entry.revision
            first = beginning
            if entry.kind == .divergence {
                let resumed = try Resumption(entry).revision
                // The creation is always done again; there is nothing before it to go back to.
                entries.removeLast(entries.count - entries.prefix { $0.revision <= max(beginning, resumed) }.count)
                if resumed == 0 { isCreationCompared = false }
            }
            entries.append(entry)
        }
    }

    /// The part of it that a build can follow.
    ///
    /// - Parameter revision: The revision of the entry that it could not follow.
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
    /// Reads the payload of a divergence's entry.
    ///
    /// - Throws: `JSONError` for another shape.
    init(_ entry: Entry) throws(JSONError) {
        try self.init(JSONDocument(parsing: entry.payload).root)
    }
}

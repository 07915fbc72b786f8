import Usher
import UsherJSON
import UsherJournal

/// The entries of a session that are replayed: all entries except those that the session dropped at a divergence.
struct EffectiveHistory {
    /// The entries to be replayed, in order.
    private(set) var entries: [Entry] = []
    /// The first free ids of a session that began anew; if `nil`, the replayed creation must match the record.
    private(set) var anew: NextIdentifiers?

    /// The last revision on which all builds agreed; 0 if they handle even the creation differently.
    var agreedRevision: Int { anew != nil && entries.count <= 1 ? 0 : entries.last?.revision ?? 0 }

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
                // The creation always stays, because no revision comes before the creation.
                entries.removeLast(entries.count - entries.prefix { $0.revision <= max(beginning, resumed) }.count)
                if resumed == 0 { anew = NextIdentifiers(entry.before) }
            }
            entries.append(entry)
        }
    }

    /// Returns the part of the history before the entry that a build could not follow.
    ///
    /// - Parameters:
    ///   - revision: The revision of that entry.
    ///   - free: The first free ids, in case the session begins anew.
    func before(_ revision: Int, elseAnewFrom free: NextIdentifiers) -> EffectiveHistory {
        var history = self
        history.entries = Array(entries.prefix { $0.revision < revision })
        let isDifferent = history.entries.isEmpty
        if isDifferent { history.entries = Array(entries.prefix(1)) }
        // If only the creation is left, a session that had begun anew begins anew again.
        if isDifferent || anew != nil, history.entries.count <= 1 { history.anew = free }
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

import Usher
import UsherJSON
import UsherJournal

/// The entries of a session that count: those on which all builds agreed that it has met.
struct EffectiveHistory {
    /// The entries to be replayed, in order.
    private(set) var entries: [Entry] = []
    /// The ids that are free before the session begins anew; nil if its creation must lead where it once led.
    private(set) var anew: NextIdentifiers?

    /// The last revision on which all builds agreed; 0 if they do not even agree on the creation.
    var agreedRevision: Int { anew != nil && entries.count <= 1 ? 0 : entries.last?.revision ?? 0 }

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
                if resumed == 0 { anew = NextIdentifiers(entry.before) }
            }
            entries.append(entry)
        }
    }

    /// The part of it that a build can follow.
    ///
    /// - Parameters:
    ///   - revision: The revision of the entry that it could not follow.
    ///   - free: The ids that are free if the session begins anew.
    func before(_ revision: Int, elseAnewFrom free: NextIdentifiers) -> EffectiveHistory {
        var history = self
        history.entries = Array(entries.prefix { $0.revision < revision })
        let isDifferent = history.entries.isEmpty
        if isDifferent { history.entries = Array(entries.prefix(1)) }
        // Without the entry of the build that began it anew, it begins anew once more.
        if isDifferent || anew != nil, history.entries.count <= 1 { history.anew = free }
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

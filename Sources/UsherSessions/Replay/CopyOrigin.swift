import UsherJSON
import UsherJournal

/// The session whose inputs a copy begins with.
enum CopyOrigin {
    /// A session of the same journal.
    case fork(of: SessionID)
    /// An export.
    case export

    private static let names = ["fork", "import"]

    /// The revision up to which the inputs are another session's that begin with a creation; 0 for none.
    ///
    /// - Parameter creation: The creation's payload.
    /// - Throws: `JSONError` for one that no build writes.
    static func revision(in creation: JSONValue) throws(JSONError) -> Int {
        let origin = names.lazy.compactMap { creation[member: $0] }.first
        return try origin?[member: "revision"]?.decode(Int.self) ?? 0
    }

    /// The creation of a copy: the same, and what it is a copy of, up to a revision.
    ///
    /// That stands last in the payload, where it moves no secret; a copy of a copy has its own alone.
    fileprivate func mark(_ creation: Entry, at revision: Int) throws(JSONError) -> Entry {
        let members = try JSONDocument(parsing: creation.payload).root.members
        let end = members.prefix { !Self.names.contains($0.name) }.map(\.value.range.upperBound).max()
        var writer = JSONWriter(reservingCapacity: creation.payload.count + 80)
        writer.bytes += creation.payload.prefix(end ?? 1)
        write(at: revision, into: &writer)
        writer.endObject()
        return Entry(
            creation.kind, revision: creation.revision, time: creation.time, before: creation.before,
            after: creation.after, digest: creation.digest, visible: creation.visible, payload: writer.bytes,
            facts: creation.facts, secrets: creation.secrets, isErased: creation.isErased)
    }

    private func write(at revision: Int, into writer: inout JSONWriter) {
        switch self {
        case .fork(let session):
            writer.key("fork")
            writer.beginObject()
            writer.member("session", session.text)
        case .export:
            writer.key("import")
            writer.beginObject()
        }
        writer.member("revision", revision)
        writer.endObject()
    }
}

extension Collection<Entry> {
    /// The first entries of a copy of the session that has these.
    ///
    /// - Throws: `JSONError` for a creation that no build writes.
    func copied(from origin: CopyOrigin) throws(JSONError) -> [Entry] {
        var copies = Array(self)
        if let creation = first { copies[0] = try origin.mark(creation, at: copies.last?.revision ?? 0) }
        return copies
    }
}

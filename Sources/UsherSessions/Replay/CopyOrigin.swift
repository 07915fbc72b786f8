import UsherJSON
import UsherJournal

/// The source from which a copied session received its first inputs.
enum CopyOrigin {
    /// A session of the same journal.
    case fork(of: SessionID)
    case export

    private static let names = ["fork", "import"]

    /// Returns the last revision whose input was copied from another session; 0 if there is none.
    ///
    /// - Throws: `JSONError` for a payload that no build writes.
    static func revision(in creation: JSONValue) throws(JSONError) -> Int {
        let origin = names.lazy.compactMap { creation[member: $0] }.first
        return try origin?[member: "revision"]?.decode(Int.self) ?? 0
    }

    /// Returns the creation of a copy: the original creation, with the origin and the last copied revision added.
    ///
    /// The origin is the payload's last member, so that the places of secrets stay valid. A copy of a copy contains
    /// only the newer origin.
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
            writer.object("fork") {
                $0.member("session", session.text)
                $0.member("revision", revision)
            }
        case .export: writer.object("import") { $0.member("revision", revision) }
        }
    }
}

extension Collection<Entry> {
    /// Returns the entries with which a copy of their session begins.
    ///
    /// - Throws: `JSONError` for a creation that no build writes.
    func copied(from origin: CopyOrigin) throws(JSONError) -> [Entry] {
        var copies = Array(self)
        if let creation = first { copies[0] = try origin.mark(creation, at: copies.last?.revision ?? 0) }
        return copies
    }
}

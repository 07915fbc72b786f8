import UsherJSON
import UsherJournal

/// What the entry of a divergence says: how far the build got, and why no further.
struct Resumption {
    /// The last revision on which it agreed with the builds before; 0 where not even the creation led to the same.
    let revision: Int
    /// The version of the app that went on from there.
    let version: String
    /// What was different.
    let reason: String

    init(after revision: Int, version: String, reason: String) {
        self.revision = revision
        self.version = version
        self.reason = reason
    }

    /// Reads an entry's payload.
    ///
    /// - Throws: `JSONError` for another shape.
    init(_ entry: Entry) throws(JSONError) {
        let payload = try JSONDocument(parsing: entry.payload).root
        guard let revision = payload[member: "resumed"]?.integer, let version = payload[member: "version"]?.string,
            let reason = payload[member: "reason"]?.string
        else { throw payload.error("expected resumed, version and reason") }
        self.init(after: revision, version: version, reason: reason)
    }

    /// The payload of its entry.
    var json: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 128)
        writer.beginObject()
        writer.key("resumed")
        writer.integer(revision)
        writer.key("version")
        writer.string(version)
        writer.key("reason")
        writer.string(reason)
        writer.endObject()
        return writer.bytes
    }

    /// What a client is told.
    var warning: String {
        revision == 0
            ? "the app has changed, and the session begins anew: \(reason)"
            : "the app has changed, and the session goes on from revision \(revision): \(reason)"
    }
}

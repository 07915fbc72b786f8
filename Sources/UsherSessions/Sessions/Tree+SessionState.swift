import Usher
import UsherJSON

extension Tree {
    /// Appends the whole state of a session.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - app: The name of its app.
    ///   - notes: What the session has to say beside the tree.
    ///   - changes: What has changed since the state that the client knows.
    ///   - writer: Where to append.
    func writeState(
        of id: SessionID, app: String, notes: [String] = [], changes: ChangeHistory? = nil,
        into writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key(.session)
        // Digits need no escaping, and no string in between.
        writer.bytes.append(UInt8(ascii: "\""))
        id.append(to: &writer.bytes)
        writer.bytes.append(UInt8(ascii: "\""))
        writer.key(.app)
        writer.string(app)
        writer.key(.revision)
        writer.integer(revision)
        writeState(into: &writer, notes: notes, changes: changes)
        writer.endObject()
    }

    /// The coordinators as JSON.
    var report: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1_024)
        writer.beginObject()
        writeReport(into: &writer)
        writer.endObject()
        return writer.bytes
    }
}

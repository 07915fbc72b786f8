import Usher
import UsherJSON

extension Tree {
    /// What a session shows now, with the leaks beyond a number of known ones.
    func snapshot(of session: Session, leaksSince known: Int? = nil) -> Snapshot {
        var writer = JSONWriter(reservingCapacity: stateBytes + 512)
        writer.beginObject()
        writer.key("session")
        // Digits need no escaping, and no string in between.
        writer.bytes.append(UInt8(ascii: "\""))
        session.id.append(to: &writer.bytes)
        writer.bytes.append(UInt8(ascii: "\""))
        writer.key("app")
        writer.string(session.appName)
        writer.key("revision")
        writer.integer(revision)
        writeState(into: &writer)
        writer.endObject()
        return Snapshot(
            revision: revision, state: writer.bytes, ending: ending,
            newLeaks: Array(leaks.dropFirst(known ?? leaks.count)))
    }
}

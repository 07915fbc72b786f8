import Usher
import UsherHTTP
import UsherJSON
import UsherProcess
import UsherSessions

/// The members by which a client learns of a session's end: in a 410, and as the data of a stream's `end`.
extension Tombstone {
    /// Each with its value as JSON.
    var members: [(name: String, json: [UInt8])] {
        let told: [(name: String, json: [UInt8]?)] = [
            ("reason", Self.json { $0.string(reason.rawValue) }),
            ("result", ending.result),
            ("endedAt", Self.json { $0.string(WallTime.text(time.milliseconds)) }),
            ("app", Self.json { $0.string(app) }),
            ("options", ending.options),
            ("start", Self.json(writeStart)),
        ]
        return told.compactMap { member in member.json.map { (name: member.name, json: $0) } }
    }

    /// The members as one object.
    var json: [UInt8] {
        Self.json { writer in
            writer.beginObject()
            for member in members {
                writer.key(member.name)
                writer.raw(member.json)
            }
            writer.endObject()
        }
    }

    /// The request that opens another session of the same app, as this one was opened.
    private func writeStart(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("method")
        writer.string(Method.post.rawValue)
        writer.key("path")
        writer.string("/sessions")
        writer.key("body")
        writer.beginObject()
        writer.key("app")
        writer.string(app)
        if let options = ending.options {
            writer.key("options")
            writer.raw(options)
        }
        writer.endObject()
        writer.endObject()
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return writer.bytes
    }
}

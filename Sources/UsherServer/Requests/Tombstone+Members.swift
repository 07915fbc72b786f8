import Usher
import UsherHTTP
import UsherJSON
import UsherProcess
import UsherSessions

/// The members that describe a session's end, in a 410 and in the event `end` of a stream.
extension Tombstone {
    var members: [(name: String, json: [UInt8])] {
        let told: [(name: String, json: [UInt8]?)] = [
            ("reason", JSONWriter.bytes { $0.string(reason.rawValue) }),
            ("result", ending.result),
            ("endedAt", JSONWriter.bytes { $0.string(WallTime.text(time.milliseconds)) }),
            ("app", JSONWriter.bytes { $0.string(app) }),
            ("options", ending.options),
            ("start", JSONWriter.object(writeStart)),
        ]
        return told.compactMap { member in member.json.map { (name: member.name, json: $0) } }
    }

    var json: [UInt8] {
        JSONWriter.object { writer in for (name, json) in members { writer.member(name, raw: json) } }
    }

    /// Writes the request that opens a session with the app and options of the ended session.
    private func writeStart(into writer: inout JSONWriter) {
        writer.member("method", Method.post.rawValue)
        writer.member("path", "/sessions")
        writer.object("body") { writer in
            writer.member("app", app)
            if let options = ending.options { writer.member("options", raw: options) }
        }
    }
}

import Usher
import UsherJSON
import UsherProcess
import UsherSessions

extension JSONWriter {
    /// Appends one session of an operator's list.
    mutating func write(_ summary: SessionSummary) {
        beginObject()
        key("session")
        string(summary.id.text)
        guard let app = summary.app else {
            key("damaged")
            boolean(true)
            return endObject()
        }
        key("app")
        string(app)
        for (name, time) in [("created", summary.created), ("changed", summary.changed)] {
            key(name)
            string(WallTime.text(time.milliseconds))
        }
        key("revision")
        integer(summary.revision)
        key("recorded")
        integer(summary.recorded)
        key("hibernated")
        boolean(summary.awake == nil)
        if let awake = summary.awake { write(awake) }
        endObject()
    }

    private mutating func write(_ awake: SessionSummary.Awake) {
        for (name, count) in [
            ("screens", awake.screens), ("coordinators", awake.coordinators.live),
            ("leaked", awake.coordinators.leaked), ("bytes", awake.bytes),
        ] {
            key(name)
            integer(count)
        }
    }
}

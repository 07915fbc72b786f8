import Usher
import UsherJSON
import UsherJournal

extension Live {
    /// What the session shows now, with the leaks beyond a number of known ones.
    ///
    /// - Parameter changes: What has changed since the state that the client knows; by the last input where nil.
    func snapshot(leaksSince known: Int? = nil, changes: ChangeHistory? = nil) -> Snapshot {
        var writer = JSONWriter(reservingCapacity: tree.stateBytes + 512)
        return snapshot(leaksSince: known, changes: changes, into: &writer)
    }

    /// What the session shows now, made in an empty writer.
    func snapshot(
        leaksSince known: Int?, changes: ChangeHistory? = nil, into writer: inout JSONWriter
    ) -> Snapshot {
        tree.writeState(of: id, app: head.app, notes: notes, changes: changes, into: &writer)
        return Snapshot(
            revision: tree.revision, epoch: settings.journal.epoch, state: writer.bytes, ending: tree.ending,
            newLeaks: Array(tree.leaks.dropFirst(known ?? tree.leaks.count)), isReplayed: false)
    }

    /// What an operator sees in a list.
    var summary: SessionSummary.Awake {
        SessionSummary.Awake(screens: tree.screens, coordinators: tree.census, bytes: tree.stateBytes)
    }

    /// The coordinators as JSON.
    var report: [UInt8] { tree.report }

    /// What keeps the session from accepting any further input.
    var excess: Rejection? {
        guard let measure = measure(from: 1) else { return nil }
        return Rejection(
            .limit,
            "a session can take \(measure.limit) \(measure.unit), and this one has; open another with POST /sessions")
    }

    /// What a client is told before it comes to that: from 80 % on.
    private var notes: [String] {
        guard let measure = measure(from: 0.8) else { return [] }
        return [
            """
            the session has taken \(measure.used) of \(measure.limit) \(measure.unit); after these it takes no more, \
            so open another in time
            """
        ]
    }

    /// What the session has used up to a part.
    private func measure(from part: Double) -> (used: Int, limit: Int, unit: String)? {
        let (inputs, bytes) = (settings.bounds.inputLimit, settings.bounds.recordLimit)
        if Double(tree.revision) >= Double(inputs) * part { return (tree.revision, inputs, "inputs") }
        if Double(head.bytes) >= Double(bytes) * part { return (head.bytes, bytes, "bytes of inputs") }
        return nil
    }
}

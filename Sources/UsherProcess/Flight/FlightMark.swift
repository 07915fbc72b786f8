/// A mark of an app's code that a thread runs or ran: the session, the input, and, if the process ended, the reason.
///
/// The mark contains everything that is needed to run the input again: the same bytes as in the journal's entry.
package struct FlightMark: Equatable, Sendable {
    /// The kinds of an app's code.
    package enum Kind: UInt8, Sendable {
        /// The handler of an input: a user's or backend's input, a timer, or an effect's result; the payload is that of
        /// the input's journal entry.
        case input = 1
        /// The creation and start of a root coordinator; the payload is that of the session's first journal entry.
        case creation = 4
        /// The replay of an input; the input's bytes are in the journal.
        ///
        /// The mark identifies the input by the revision after it.
        case replay = 5
        /// Code that describes and encodes the tree.
        case look = 6
        /// The release of a tree: the `deinit` of its coordinators.
        case end = 7
        /// An effect's own work, outside of any tree and without a time limit; the payload is the effect's id.
        case effect = 8
    }

    /// The reason why the process ended, if this thread or the watchdog recorded one.
    package enum Note: Equatable, Sendable {
        /// The watchdog ended the process, because the code ran too long.
        case overtime(nanoseconds: Int64)
        /// The watchdog ended the process, because the process grew too much after the code began.
        case memory(bytes: Int64)
        /// A signal ended the thread and so the process.
        case signal(Int32)
        /// The thread ended the process with a status.
        case exit(Int32)
    }

    package let kind: Kind
    /// The session's id, a number of 128 bits.
    package let session: (high: UInt64, low: UInt64)
    /// The name of the session's app, cut to 64 bytes; empty if unknown.
    package let app: String
    /// The revision to which the input applies; in a replay, the revision of the replayed entry.
    package let revision: Int
    /// The raw value of the kind of the input's entry; 0 if there is no payload.
    package let entryKind: UInt8
    /// The input's time of day in milliseconds since 1970.
    package let time: Int64
    /// The payload that the journal's entry for the input would have.
    package let payload: [UInt8]
    /// A Boolean value indicating whether the payload exceeded the slot, so that the input cannot be run again.
    package let isCut: Bool
    /// The reason why the process ended, if one was recorded.
    package let note: Note?
    /// The return addresses of the thread's stack, innermost first, as offsets from the executable's load address.
    package let frames: [UInt64]

    package init(
        _ kind: Kind, of session: (high: UInt64, low: UInt64), app: String, upon revision: Int, entryKind: UInt8 = 0,
        at time: Int64 = 0, payload: [UInt8] = [], isCut: Bool = false, note: Note? = nil, frames: [UInt64] = []
    ) {
        (self.kind, self.session, self.app, self.revision) = (kind, session, app, revision)
        (self.entryKind, self.time, self.payload, self.isCut) = (entryKind, time, payload, isCut)
        (self.note, self.frames) = (note, frames)
    }

    package static func == (left: FlightMark, right: FlightMark) -> Bool {
        left.kind == right.kind && left.session == right.session && left.app == right.app
            && left.revision == right.revision && left.entryKind == right.entryKind && left.time == right.time
            && left.payload == right.payload && left.isCut == right.isCut && left.note == right.note
            && left.frames == right.frames
    }

    /// A Boolean value indicating whether this thread itself ended the process.
    package var isDead: Bool {
        switch note {
        case .signal, .exit: true
        case .overtime, .memory, nil: false
        }
    }
}

extension FlightMark.Note: CustomStringConvertible {
    /// The name of the signal, `exit N`, `timeout`, or `memory`.
    package var description: String {
        switch self {
        case .overtime: "timeout"
        case .memory: "memory"
        case .signal(let signal): SignalName.of(signal)
        case .exit(let status): "exit \(status)"
        }
    }
}

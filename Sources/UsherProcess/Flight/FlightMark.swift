/// A mark of author's code that runs or ran: whose input it is, and what ended the process meanwhile.
///
/// It has all that is needed to run the input again: its bytes as the journal's entry would have them.
package struct FlightMark: Equatable, Sendable {
    /// The kinds of author's code.
    package enum Kind: UInt8, Sendable {
        /// A handler of an input, be it a user's, a backend's, a timer or an effect's result: the payload is the entry's.
        case input = 1
        /// A root coordinator that is made and started: the payload is the first entry's.
        case creation = 4
        /// An input that is handled again, after which the session has the revision; the journal has its bytes.
        case replay = 5
        /// A look at the tree: what describes and encodes it.
        case look = 6
        /// The end of a tree: what its coordinators do when they go.
        case end = 7
        /// An effect's own work, outside of any tree: the payload is its id. It may take its time.
        case effect = 8
    }

    /// The reason why the process ended, if this thread or the watchdog has noted one.
    package enum Note: Equatable, Sendable {
        /// The watchdog has ended the process because this took too long.
        case overtime(nanoseconds: Int64)
        /// The watchdog has ended the process because it has grown too much since this began.
        case memory(bytes: Int64)
        /// The thread has died by a signal.
        case signal(Int32)
        /// The thread has ended the process with a status.
        case exit(Int32)
    }

    /// The kind of code.
    package let kind: Kind
    /// The session's id; 128 bits.
    package let session: (high: UInt64, low: UInt64)
    /// The name of its app, cut after 64 bytes; empty if it is not known.
    package let app: String
    /// The revision that the input comes upon; that of the entry in a replay.
    package let revision: Int
    /// The raw value of the kind of the input's entry; 0 if there is no payload.
    package let entryKind: UInt8
    /// The input's time of day: milliseconds since 1970.
    package let time: Int64
    /// The payload that its entry would have.
    package let payload: [UInt8]
    /// A Boolean value indicating whether there was no room for all of the payload: the input cannot be run again.
    package let isCut: Bool
    /// The reason why the process ended, if one was noted.
    package let note: Note?
    /// The return addresses of the thread's stack, innermost first, as offsets from where the executable was loaded.
    package let frames: [UInt64]

    /// Creates a mark.
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

    /// A Boolean value indicating whether the process ended on this thread, by its own doing.
    package var isDead: Bool {
        switch note {
        case .signal, .exit: true
        case .overtime, .memory, nil: false
        }
    }
}

extension FlightMark.Note: CustomStringConvertible {
    /// The name of the signal, `exit N`, `timeout` or `memory`.
    package var description: String {
        switch self {
        case .overtime: "timeout"
        case .memory: "memory"
        case .signal(let signal): SignalName.of(signal)
        case .exit(let status): "exit \(status)"
        }
    }
}

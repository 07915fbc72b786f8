/// A mark of author's code that runs or ran: whose input it is, on which thread, and since when.
///
/// It holds all that is needed to try the input again: its bytes as the journal's entry would have them.
package struct FlightMark: Equatable, Sendable {
    /// The kinds of author's code.
    package enum Kind: UInt8, Sendable {
        /// A handler of a user's or a backend's input: the payload is the entry's.
        case input = 1
        /// A handler of an effect's result, or of its refusal: the payload is the entry's, with its id.
        case result = 2
        /// A handler of a timer: the payload is the entry's, with its id.
        case timer = 3
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

    /// The remark of a watchdog, or of the start after a crash.
    package enum Note: Equatable, Sendable {
        /// It has taken too long.
        case overtime(nanoseconds: Int64)
        /// The process has grown too much since it began.
        case memory(bytes: Int64)
        /// It is an effect that has been at work at so many crashes.
        case crashes(Int64)
    }

    /// The kind of code.
    package let kind: Kind
    /// The session's id; 128 bits.
    package let session: (high: UInt64, low: UInt64)
    /// The name of its app, cut after 64 bytes; empty where it is not known.
    package let app: String
    /// The revision that the input comes upon; that of the entry in a replay.
    package let revision: Int
    /// The raw value of the kind of the input's entry; 0 where there is no payload.
    package let entryKind: UInt8
    /// The input's time of day: milliseconds since 1970.
    package let time: Int64
    /// The payload that its entry would have.
    package let payload: [UInt8]
    /// True where there was no room for all of the payload: it cannot be tried again.
    package let isCut: Bool
    /// The system's number of the thread.
    package let thread: Int
    /// The time at which it began, by the `MonotonicClock`.
    package let begin: Int64
    /// The remark, if there is one.
    package let note: Note?
    /// The thread's stack as the watchdog found it, innermost frame first.
    package let stack: [String]

    /// Makes a mark.
    ///
    /// - Parameters:
    ///   - kind: The kind of code.
    ///   - session: The session's id.
    ///   - app: The name of its app.
    ///   - revision: The revision that the input comes upon.
    ///   - entryKind: The raw value of the kind of the input's entry.
    ///   - time: The input's time of day.
    ///   - payload: The payload that its entry would have.
    ///   - isCut: Set where there was no room for all of it.
    ///   - thread: The system's number of the thread.
    ///   - begin: The time at which it began.
    ///   - note: The remark.
    ///   - stack: The thread's stack.
    package init(
        _ kind: Kind, of session: (high: UInt64, low: UInt64), app: String, upon revision: Int, entryKind: UInt8 = 0,
        at time: Int64 = 0, payload: [UInt8] = [], isCut: Bool = false, thread: Int = 0, begin: Int64 = 0,
        note: Note? = nil, stack: [String] = []
    ) {
        self.kind = kind
        self.session = session
        self.app = app
        self.revision = revision
        self.entryKind = entryKind
        self.time = time
        self.payload = payload
        self.isCut = isCut
        self.thread = thread
        self.begin = begin
        self.note = note
        self.stack = stack
    }

    package static func == (left: FlightMark, right: FlightMark) -> Bool {
        left.kind == right.kind && left.session == right.session && left.app == right.app
            && left.revision == right.revision && left.entryKind == right.entryKind && left.time == right.time
            && left.payload == right.payload && left.isCut == right.isCut && left.thread == right.thread
            && left.begin == right.begin && left.note == right.note && left.stack == right.stack
    }
}

extension FlightMark.Note: CustomStringConvertible {
    /// For the log, such as `took 5100 ms`.
    package var description: String {
        switch self {
        case .overtime(let nanoseconds): "took \(nanoseconds / 1_000_000) ms"
        case .memory(let bytes): "grew by \(bytes >> 20) MiB"
        case .crashes(let count): "was at work at \(count == 1 ? "a crash" : "\(count) crashes")"
        }
    }
}

extension FlightMark {
    /// The marks of effects among others, one for each effect, with a note of how many crashes it has been at work at.
    ///
    /// One that stands for an earlier crash has such a note already; one without it was at work at the last.
    ///
    /// - Parameter marks: The marks that a dead process has left.
    package static func effects(among marks: [FlightMark]) -> [FlightMark] {
        var counted: [FlightMark] = []
        for mark in marks where mark.kind == .effect {
            let same = marks.filter { $0.kind == .effect && $0.session == mark.session && $0.payload == mark.payload }
            guard !counted.contains(where: { $0.session == mark.session && $0.payload == mark.payload }) else {
                continue
            }
            let before = same.map(\.earlierCrashes).max() ?? 0
            counted.append(mark.noted(.crashes(before + (same.contains { $0.note == nil } ? 1 : 0))))
        }
        return counted
    }

    private var earlierCrashes: Int64 { if case .crashes(let count) = note { count } else { 0 } }

    private func noted(_ note: Note) -> FlightMark {
        FlightMark(
            kind, of: session, app: app, upon: revision, entryKind: entryKind, at: time, payload: payload,
            isCut: isCut, thread: thread, begin: begin, note: note, stack: stack)
    }
}

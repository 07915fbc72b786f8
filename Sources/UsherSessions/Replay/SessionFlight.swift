import Usher
import UsherJournal
import UsherProcess

/// A session's marks in the flight record: set before its author's code runs on this thread, and ended after.
struct SessionFlight: Sendable {
    private let record: FlightRecord?
    private let session: (high: UInt64, low: UInt64)
    private let app: String

    /// Makes a session's marks.
    ///
    /// - Parameters:
    ///   - record: Where they are set; nil where nobody has to know.
    ///   - session: The session.
    ///   - app: The name of its app.
    init(_ record: FlightRecord?, of session: JournalKey, app: String) {
        self.record = record
        self.session = (session.high, session.low)
        self.app = app
    }

    /// An input is about to be handled.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - revision: The revision that it comes upon.
    ///   - payload: The payload that its entry would have.
    @inline(__always)
    func begin(_ input: Input, upon revision: Int, _ payload: [UInt8]) {
        record?.begin(
            .input, of: session, app: app, upon: revision, entryKind: input.entryKind.rawValue,
            at: input.time.milliseconds, payload: payload)
    }

    /// A session is about to be created.
    func begin(_ creation: Creation) {
        guard let record else { return }
        record.begin(
            .creation, of: session, app: app, upon: 0, entryKind: Entry.Kind.creation.rawValue,
            at: creation.time.milliseconds, payload: creation.payload(SecretPlaces()).json)
    }

    /// A tree is about to be looked at, to be ended, or an entry to be replayed.
    ///
    /// - Parameters:
    ///   - kind: The kind of code that this runs.
    ///   - revision: The entry's revision.
    func begin(_ kind: FlightMark.Kind, at revision: Int = 0) {
        record?.begin(kind, of: session, app: app, upon: revision)
    }

    /// A replay has come to another entry.
    func advance(to revision: Int) {
        record?.advance(to: revision)
    }

    /// No code of the author's runs on this thread any more.
    func end() {
        record?.end()
    }
}

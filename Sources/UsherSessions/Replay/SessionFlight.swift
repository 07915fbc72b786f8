import Usher
import UsherJournal
import UsherProcess

/// Writes marks into the flight record, which show that a thread runs app code for a session.
///
/// `begin` sets the mark of the current thread before the app's code runs, and `end` removes the mark. Each mark names
/// the session.
struct SessionFlight: Sendable {
    private let record: FlightRecord?
    private let session: (high: UInt64, low: UInt64)
    private let app: String

    /// Creates the marks of a session.
    ///
    /// - Parameters:
    ///   - record: The flight record; `nil` to set no marks.
    ///   - session: The session's key in the journal.
    ///   - app: The name of the app.
    init(_ record: FlightRecord?, of session: JournalKey, app: String) {
        self.record = record
        self.session = (session.high, session.low)
        self.app = app
    }

    /// Called before an input is handled.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - revision: The revision before the input.
    ///   - payload: The payload that the input's entry will have.
    @inline(__always)
    func begin(_ input: Input, upon revision: Int, _ payload: [UInt8]) {
        record?.begin(
            .input, of: session, app: app, upon: revision, entryKind: input.entryKind.rawValue,
            at: input.time.milliseconds, payload: payload)
    }

    /// Called before a session is created.
    func begin(_ creation: Creation) {
        guard let record else { return }
        record.begin(
            .creation, of: session, app: app, upon: 0, entryKind: Entry.Kind.creation.rawValue,
            at: creation.time.milliseconds, payload: creation.payload(SecretPlaces()).json)
    }

    /// Called before a tree is read or ended, or before an entry is replayed.
    ///
    /// - Parameters:
    ///   - kind: The kind of code that runs.
    ///   - revision: The entry's revision.
    func begin(_ kind: FlightMark.Kind, at revision: Int = 0) {
        record?.begin(kind, of: session, app: app, upon: revision)
    }

    /// Called when a replay reaches another entry.
    func advance(to revision: Int) {
        record?.advance(to: revision)
    }

    /// Called when none of the app's code runs on this thread any more.
    func end() {
        record?.end()
    }
}

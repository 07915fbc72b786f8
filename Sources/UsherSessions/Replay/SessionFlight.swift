import Usher
import UsherJournal
import UsherProcess

/// Writes marks into the flight record, which show that a thread runs app code for a session.
///
/// `begin` sets the current thread's mark before the app's code runs, and `end` removes the mark.
struct SessionFlight: Sendable {
    private let record: FlightRecord?
    private let session: (high: UInt64, low: UInt64)
    private let app: String

    /// Creates the marks of a session; without a flight record, no marks are set.
    init(_ record: FlightRecord?, of session: JournalKey, app: String) {
        self.record = record
        self.session = (session.high, session.low)
        self.app = app
    }

    /// Called before an input is handled, with the revision before the input and the payload of the input's entry.
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

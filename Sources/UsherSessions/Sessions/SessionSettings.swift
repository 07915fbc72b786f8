import Usher
import UsherJournal

/// All that the sessions of a registry share.
final class SessionSettings: Sendable {
    typealias Background = @Sendable (@escaping @Sendable () async -> Void) -> Void

    let apps: [any App.Type]
    let clock: any Clock
    let journal: any Journal
    let bounds: SessionBounds
    let totals = CoordinatorTotals()
    let watches: Watches
    let waits = OpenWaits()
    let metrics: SessionMetrics
    private let services = Services()
    /// Runs work that no request waits for.
    let background: Background
    /// Tells an operator what no client is told.
    let observe: @Sendable (SessionEvent) -> Void
    /// Lets a session leave memory.
    let leave: @Sendable (Session) -> Void

    init(
        apps: [any App.Type], clock: any Clock, journal: any Journal, bounds: SessionBounds,
        background: @escaping Background, observe: @escaping @Sendable (SessionEvent) -> Void,
        leave: @escaping @Sendable (Session) -> Void
    ) {
        self.apps = apps
        self.clock = clock
        self.journal = journal
        self.bounds = bounds
        self.background = background
        self.leave = leave
        let metrics = SessionMetrics(apps: apps.map { $0.name })
        self.metrics = metrics
        self.observe = { event in
            metrics.count(event)
            observe(event)
        }
        watches = Watches(perSession: bounds.watcherLimit, all: bounds.allWatchersLimit)
    }

    /// So long before its time a timer's session is woken, or held awake.
    static let foresight = Duration.seconds(60)

    /// The services that the effects of an app work with.
    ///
    /// - Throws: The error of the app's `services()`.
    func services(of name: String) throws -> any Sendable {
        guard let app = apps.first(where: { $0.name == name }) else { throw ReplayError.unknownApp(name) }
        return try services.services(of: app)
    }

    /// Asks the journal something.
    ///
    /// - Throws: `SessionError`, what it means that the journal does not answer.
    func ask<Answer>(
        _ body: (any Journal) async throws(JournalError) -> Answer
    ) async throws(SessionError) -> Answer {
        do throws(JournalError) {
            return try await body(journal)
        } catch {
            throw SessionError(reading: error)
        }
    }
}

package import Usher
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
    /// - Throws: What the app's `services()` throws.
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

/// How many sessions a registry may hold, how large each may grow, and how long one that nobody uses stays.
package struct SessionBounds: Sendable {
    /// Sessions that may live at the same time, hibernated ones included.
    package var sessionLimit = 1_000_000
    /// Sessions that may be in memory at the same time; the least recently used hibernate.
    package var awakeLimit = Int.max
    /// Inputs that one session may accept, its creation included.
    package var inputLimit = 100_000
    /// Bytes that all these may take in the journal, the last of them not counted.
    package var recordLimit = 16 * 1024 * 1024
    /// After this time without use a session gives its tree back, and is in the journal alone.
    package var idleTime = Duration.seconds(5 * 60)
    /// After this time without use a session ends.
    package var expiryTime = Duration.seconds(24 * 60 * 60)
    /// For this time it is told how a session ended; then it is unknown.
    package var tombstoneTime = Duration.seconds(7 * 24 * 60 * 60)
    /// For this time an effect may run; then its coordinator is told that it took too long.
    package var effectTime = Duration.seconds(60)
    /// Those that may watch one session at the same time.
    package var watcherLimit = 2_000
    /// Those that may watch any session at the same time.
    package var allWatchersLimit = 10_000
    /// How large one tree may grow.
    package var limits = Limits()

    /// The default bounds.
    package init() {}
}

extension Duration {
    /// In whole milliseconds.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000_000_000
    }
}

import Usher
import UsherJournal

/// What all sessions of a registry share.
final class SessionSettings: Sendable {
    typealias Background = @Sendable (@escaping @Sendable () async -> Void) -> Void

    let apps: [any App.Type]
    let clock: any Clock
    let journal: any Journal
    let bounds: SessionRegistry.Configuration
    let tally = Tally()
    /// Runs work that no request waits for.
    let background: Background
    /// Tells an operator what no client is told.
    let observe: @Sendable (SessionEvent) -> Void

    init(
        apps: [any App.Type], clock: any Clock, journal: any Journal, bounds: SessionRegistry.Configuration,
        background: @escaping Background, observe: @escaping @Sendable (SessionEvent) -> Void
    ) {
        self.apps = apps
        self.clock = clock
        self.journal = journal
        self.bounds = bounds
        self.background = background
        self.observe = observe
    }
}

import Foundation
import Testing

@testable import UsherClient

/// The address of scripted servers.
let server = URL(string: "http://server/") ?? URL(filePath: "/")

/// Waits until something holds of a session, which it may after each piece of its news.
func until(
    _ session: Session, _ holds: @Sendable (Session) -> Bool, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    for await _ in session.updates where holds(session) { return }
    #expect(holds(session), comment, sourceLocation: sourceLocation)
}

extension Session.Settings {
    /// On a scripted transport, with pauses a hundredth as long.
    static func scripted(
        _ transport: any Transport, clock: HastyClock = HastyClock(), isWatching: Bool = true
    ) -> Session.Settings {
        let random = SeededRandom(1)
        var settings = Session.Settings(
            platform: Platform(transport: transport, clock: clock, random: { random.next() }))
        settings.isWatching = isWatching
        return settings
    }
}

/// The problem that something throws.
func problem(
    sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Void
) async -> Problem? {
    await #expect(throws: Problem.self, sourceLocation: sourceLocation) { try await work() }
}

import Foundation
import Testing

@testable import UsherClient

/// The address of the scripted servers.
let server = URL(string: "http://server/") ?? URL(filePath: "/")

/// Waits until a condition holds for a session, and checks the condition after each update.
func until(
    _ session: Session, _ holds: @Sendable (Session) -> Bool, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    for await _ in session.updates where holds(session) { return }
    #expect(holds(session), comment, sourceLocation: sourceLocation)
}

extension Session.Settings {
    /// Opens a session on a scripted transport, with pauses that take a hundredth of their time.
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

/// Returns the problem that an operation throws.
func problem(
    sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Void
) async -> Problem? {
    await #expect(throws: Problem.self, sourceLocation: sourceLocation) { try await work() }
}

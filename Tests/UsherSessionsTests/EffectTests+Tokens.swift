import Testing
import Usher
import UsherJournal
import UsherSessions

/// Answers that wait while the tokens of their session change.
extension EffectTests {
    @Test(arguments: [true, false])
    func `an answer that waited is not sent if the client's token was replaced or revoked meanwhile`(
        isReplaced: Bool
    ) async throws {
        courier.hold()
        let registry = SessionRegistry(
            apps: [ErrandApp.self], journal: journal, clock: clock, tokens: TokenIssuer(key: [1]))
        let opening = try await registry.open("errand")
        let (id, token) = (opening.session.id, try #require(opening.token))
        let event = try action(#"{"event":{"run":{"_0":"tea"}}}"#)
        func send(by token: SessionToken) async throws -> Snapshot {
            let request = InputRequest(
                event, key: IdempotencyKey("key", fingerprint: 1), wait: .seconds(5),
                for: .shown(token.hash, isReading: false))
            return try await registry.handle(request, on: id)
        }
        let first = Task { try await send(by: token) }
        await until { courier.waiting == ["tea"] }
        await until { clock.isAwaited(at: 5_000) }
        // The retry runs at once until it waits for the first request.
        let twin = Task.immediate { try await send(by: token) }
        if !isReplaced { try await registry.grant(.revokeAll, of: id, for: .granted) }
        let next = try await registry.newToken(of: id, for: .granted, TokenChange.rotate)
        courier.release()
        for answer in [first, twin] {
            await #expect { _ = try await answer.value } throws: { error in
                guard case SessionError.answerDenied = error else { return false }
                return true
            }
        }
        let renewed = try await send(by: next)
        #expect(renewed.text.contains(#""log":["done"]"#), "\(renewed.text)")
        #expect(courier.ids.count == 1)
    }
}

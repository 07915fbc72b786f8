import Testing
import UsherHTTP

@testable import MicroHTTPD

@Suite struct ExchangeStateTests {
    /// Returns the outcome of a visit of the connection: the text of the response, or the name of its next step.
    private func visit(_ state: inout ExchangeState) -> String {
        switch state.take() {
        case .send(let response): String(decoding: response.body, as: UTF8.self)
        case .suspend: "suspend"
        case .nothing: "nothing"
        }
    }

    @Test func `if a handler responds at once, its connection is not suspended`() {
        var state = ExchangeState.running
        let outcome = state.finish(with: .text("a"))
        #expect(outcome == .keep)
        #expect(visit(&state) == "a")
    }

    @Test func `if a handler responds later, its connection is suspended and resumed once`() {
        var state = ExchangeState.running
        #expect(visit(&state) == "suspend")
        let outcome = state.finish(with: .text("a"))
        #expect(outcome == .resume)
        #expect(visit(&state) == "a")
    }

    @Test func `if a handler responds several times, only the first response is sent, and only once`() {
        var state = ExchangeState.running
        #expect(visit(&state) == "suspend")
        let first = state.finish(with: .text("first"))
        let second = state.finish(with: .text("second"))
        #expect(first == .resume && second == .drop)
        #expect(visit(&state) == "first")
        let third = state.finish(with: .text("third"))
        #expect(third == .drop)
        #expect(visit(&state) == "nothing")
    }

    @Test func `abandoning an exchange returns its unsent response, and later responses are dropped`() {
        var state = ExchangeState.running
        #expect(visit(&state) == "suspend")
        _ = state.finish(with: .text("a"))
        let abandoned = state.abandon()
        let late = state.finish(with: .text("b"))
        #expect(abandoned?.body == Array("a".utf8))
        #expect(late == .drop)
    }

    @Test func `an exchange collects its body up to the limit and drops the rest`() throws {
        var body = BodyCollector(limit: 4, framing: .chunked)
        let part: [UInt8] = [1, 2, 3]
        let taken = (1...3).map { _ in body.append(part.span) }
        #expect(taken == [true, true, false])
        let problem = #expect(throws: Problem.self) { try body.finish() }
        #expect(problem?.status == .contentTooLarge)
    }
}

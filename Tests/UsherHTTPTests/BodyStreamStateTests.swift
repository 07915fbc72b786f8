import Testing

@testable import UsherHTTP

@Suite struct BodyStreamStateTests {
    /// Returns the result of a reader's visit: text, or the name of its next step.
    private func visit(_ state: inout BodyStreamState, upTo limit: Int = 100) -> String {
        switch state.take(upTo: limit).result {
        case .bytes(let parts, _): String(decoding: parts.joined(), as: UTF8.self)
        case .parked: "nothing"
        case .end: "end"
        }
    }

    /// The result of sending bytes.
    private enum Sending {
        case refused, buffered, wake

        init(_ result: (isTaken: Bool, wakes: Bool)) {
            self = result.wakes ? .wake : result.isTaken ? .buffered : .refused
        }
    }

    private func send(_ text: String, _ state: inout BodyStreamState) -> Sending {
        Sending(state.send([BodyPiece(Array(text.utf8))]))
    }

    private func begun(capacity: Int = 10) -> BodyStreamState {
        var state = BodyStreamState(capacity: capacity)
        _ = state.begin()
        return state
    }

    @Test func `a reader receives the bytes in the order in which they were sent, whatever the size of its reads`() {
        for limit in 1...12 {
            var state = begun(capacity: 100)
            var received = ""
            for piece in ["ab", "c", "defgh", "ijklmnop"] {
                _ = send(piece, &state)
                received += visit(&state, upTo: limit)
            }
            while !state.isEmpty { received += visit(&state, upTo: limit) }
            #expect(received == "abcdefghijklmnop")
        }
    }

    @Test func `the pieces of one call are accepted or refused together, and are read as one piece`() {
        var state = begun(capacity: 6)
        #expect(state.send(["ab", "", "cd"].map { BodyPiece(Array($0.utf8)) }) == (true, false))
        #expect(state.send(["ef", "g"].map { BodyPiece(Array($0.utf8)) }) == (false, false))
        #expect(visit(&state, upTo: 3) == "abc")
        #expect(visit(&state) == "d")
        #expect(visit(&state) == "nothing")
    }

    @Test func `the object that holds a piece is retained until the piece was read or the stream is closed`() {
        final class Holder: Sendable {}
        var state = begun(capacity: 10)
        weak var first: Holder?
        weak var second: Holder?
        do {
            let holders = (Holder(), Holder())
            (first, second) = holders
            _ = state.send([BodyPiece([1, 2], holding: holders.0), BodyPiece([3], holding: holders.1)])
        }
        _ = state.take(upTo: 1)
        #expect(first != nil)
        _ = state.take(upTo: 1)
        #expect(first == nil && second != nil)
        _ = state.close()
        #expect(second == nil)
    }

    @Test func `a piece that does not fit is refused as a whole, and a piece that fits exactly is accepted`() {
        var state = begun(capacity: 4)
        #expect(send("abc", &state) == .buffered)
        #expect(send("de", &state) == .refused)
        #expect(send("d", &state) == .buffered)
        #expect(send("e", &state) == .refused)
        #expect(visit(&state, upTo: 1) == "a")
        #expect(send("e", &state) == .buffered)
        #expect(visit(&state) == "bcde")
    }

    @Test func `a piece that is larger than the capacity is accepted only into an empty buffer`() {
        var state = begun(capacity: 4)
        #expect(send("abcdefgh", &state) == .buffered)
        #expect(send("i", &state) == .refused)
        #expect(visit(&state) == "abcdefgh")
        #expect(send("i", &state) == .buffered)
    }

    @Test func `only the first bytes resume a waiting reader`() {
        var state = begun()
        #expect(visit(&state) == "nothing")
        #expect(send("", &state) == .buffered)
        #expect(send("a", &state) == .wake)
        #expect(send("b", &state) == .buffered)
        #expect(visit(&state) == "ab")
        #expect(visit(&state) == "nothing")
    }

    @Test func `the end of the stream resumes a waiting reader exactly once`() {
        var state = begun()
        #expect(visit(&state) == "nothing")
        let first = state.finish()
        let second = state.finish()
        #expect(first && !second)
        #expect(visit(&state) == "end")
        #expect(visit(&state) == "end")
    }

    @Test func `buffered bytes are read before the stream's end, and bytes sent after the end are refused`() {
        var state = begun()
        _ = send("ab", &state)
        let wakes = state.finish()
        #expect(!wakes)
        #expect(state.isOver && !state.isEmpty)
        #expect(send("c", &state) == .refused)
        #expect(visit(&state) == "ab")
        #expect(visit(&state) == "end")
    }

    @Test func `bytes sent before the reader begins are buffered`() {
        var state = BodyStreamState(capacity: 10)
        #expect(send("a", &state) == .buffered)
        let first = state.begin()
        let second = state.begin()
        #expect(first && !second)
        #expect(visit(&state) == "a")
    }

    @Test func `a closed stream is empty, refuses bytes and cannot begin again`() {
        var state = begun()
        _ = send("ab", &state)
        _ = state.close()
        #expect(state.isOver && state.isEmpty)
        #expect(send("c", &state) == .refused)
        #expect(visit(&state) == "end")
        let begins = state.begin()
        #expect(!begins)
    }

    @Test func `closing the stream resumes a waiting reader once`() {
        var state = begun()
        #expect(visit(&state) == "nothing")
        let first = state.close().wakes
        let second = state.close().wakes
        #expect(first && !second)
    }

    @Test func `each callback that waits for a stream's end is called once, when the stream is closed`() {
        var state = begun()
        #expect(!state.onEnd {})
        #expect(!state.onEnd {})
        _ = state.finish()
        #expect(!state.onEnd {})
        let told = (state.close().ended.count, state.close().ended.count)
        #expect(told == (3, 0))
        #expect(state.onEnd {})
    }

    @Test func `a callback that waits for free room is called once, after all buffered bytes were read`() {
        var state = begun()
        #expect(state.onDrain {})
        _ = send("ab", &state)
        #expect(!state.onDrain {})
        #expect(told(&state) == 0)
        #expect(told(&state) == 1)
        _ = send("ab", &state)
        #expect(told(&state) == 0)
        #expect(told(&state) == 0)
    }

    @Test func `a stream that has ended does not call a callback that waits for free room`() {
        var state = begun()
        _ = send("ab", &state)
        #expect(!state.onDrain {})
        _ = state.finish()
        #expect(!state.onDrain {})
        #expect(told(&state) == 0)
        #expect(told(&state) == 1)
        #expect(!state.onDrain {})
    }

    /// Reads a byte.
    ///
    /// - Returns: The number of callbacks that report room.
    private func told(_ state: inout BodyStreamState) -> Int {
        let (result, drained) = state.take(upTo: 1)
        guard case .bytes = result else { return -1 }
        return drained.count
    }
}

import Testing
import Usher
import UsherJSON

@Suite("Determinism")
struct DeterminismTests {
    @Test func `a handler's clock shows the time of the handler's input`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { me in me.show("\(me.now.milliseconds)") }]))
        try walker.send("one")
        try walker.send("one")
        #expect(try walker.text("stack").contains(#"{"note":"1000"}"#))
        #expect(try walker.text("stack").contains(#"{"note":"2000"}"#))
    }

    @Test func `random numbers depend only on the seed and the revision`() throws {
        let first = try rolls(seed: 7)
        #expect(try rolls(seed: 7) == first)
        #expect(try rolls(seed: 8) != first)
        #expect(Set(first).count == first.count)
    }

    @Test func `a refused input does not change the random numbers of the next input`() throws {
        let plain = try Walker(dice(), seed: 7)
        try plain.send("one")
        let disturbed = try Walker(dice(), seed: 7)
        _ = try disturbed.rejection(of: #"{"event":"nine"}"#)
        try disturbed.send("one")
        #expect(try plain.text("stack") == disturbed.text("stack"))
    }

    private func dice() -> ScriptedCoordinator {
        ScriptedCoordinator(onEvent: [
            .one: { me in
                me.show(
                    (0..<3).map { _ in "\(UInt64.random(in: 0...UInt64.max, using: &me.random))" }.joined(
                        separator: " "))
            }
        ])
    }

    private func rolls(seed: UInt64) throws -> [String] {
        let walker = try Walker(dice(), seed: seed)
        try walker.send("one")
        try walker.send("one")
        let notes = try walker.state[member: "stack"]?.elements.compactMap {
            $0[member: "state"]?[member: "note"]?.string
        }
        return (notes ?? []).dropFirst().flatMap { $0.split(separator: " ").map(String.init) }
    }
}

import Testing
import Usher
import UsherJSON

@Suite("A rehearsal")
struct RehearsalTests {
    @Test func `a replay repeats every accepted input, step by step`() throws {
        var rehearsal = try opened { ScriptedCoordinator.starting() }
        #expect(try rehearsal.handle(input(#"{"event":"one"}"#)))
        #expect(try rehearsal.handle(input(#"{"popped":2}"#)))
        #expect(try !rehearsal.handle(input(#"{"popped":2}"#)))
        #expect(rehearsal.steps.count == 2)
        var digests: [UInt64] = []
        let twin = try rehearsal.replay { tree, count, counted in
            #expect(counted && count == digests.count)
            digests.append(tree.digest)
            return true
        }
        #expect(digests.count == 3)
        #expect(twin.digest == rehearsal.tree.digest && twin !== rehearsal.tree)
    }

    @Test func `a replay ends when its check returns false`() throws {
        var rehearsal = try opened { ScriptedCoordinator.starting() }
        for _ in 1...3 { _ = try rehearsal.handle(input(#"{"event":"one"}"#)) }
        let twin = try rehearsal.replay { _, count, _ in count < 2 }
        #expect(twin.revision == 3)
    }

    @Test func `an input that breaks the tree is undone, and the ids that it used are not used again`() throws {
        var rehearsal = try opened {
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    me.show()
                    throw Refusal("not today")
                },
                .two: { $0.show() },
            ])
        }
        let digest = rehearsal.tree.digest
        let rejection = #expect(throws: Rejection.self) { try rehearsal.handle(input(#"{"event":"one"}"#)) }
        #expect(rejection?.reason == "not today")
        #expect(!rehearsal.tree.isBroken && rehearsal.steps.isEmpty)
        #expect(rehearsal.tree.digest == digest)
        #expect(rehearsal.tree.identifiers == NextIdentifiers(screen: 3, coordinator: 2))
        #expect(try rehearsal.handle(input(#"{"event":"two"}"#)))
        #expect(rehearsal.tree.visibleScreen == "step 3")
        #expect(try rehearsal.replay().visibleScreen == "step 3")
    }

    @Test func `if an input's link gets only half-way, the input is handled again and the link waits`()
        throws
    {
        var rehearsal = try opened(halfWay)
        #expect(try rehearsal.handle(input(#"{"open":["first","second"]}"#)))
        #expect(rehearsal.steps.map(\.input?.link) == [.keep])
        #expect(rehearsal.tree.visibleScreen == "step 1")
    }

    @Test func `an input that fails only because of a waiting link is tried again without the link`() throws {
        var rehearsal = try opened {
            let ready = Reference()
            return PlacesCoordinator(
                onFlow: [.first: { _ in throw ready.notes.isEmpty ? Later() as any Error : Refusal("never") }],
                onEvent: [.one: { _ in ready.notes.append("ready") }])
        }
        #expect(try rehearsal.handle(input(#"{"open":["first"]}"#)))
        #expect(try rehearsal.handle(input(#"{"event":"one"}"#)))
        #expect(rehearsal.steps.map(\.input?.link) == [.follow, .drop("never")])
        #expect(rehearsal.tree.revision == 3)
    }

    @Test func `if only an input's link failed, the error states how to retry the input`() throws {
        let walker = try Walker(halfWay())
        let first = try input(#"{"open":["first","second"]}"#)
        let rejection = try #require(throws: Rejection.self) { try walker.tree.handle(first) }
        #expect(rejection.retry(of: first)?.link == .keep)
        #expect(Rejection(.refused, "no").retry(of: first) == nil)
    }

    @Test func `if the link of an opening gets only half-way, the opening is tried again and the link waits`()
        throws
    {
        var attempts: [LinkHandling] = []
        let (tree, handling) = try LinkHandling.opening { handling in
            attempts.append(handling)
            return try Tree(
                root: halfWay(), seed: 1, time: Timestamp(milliseconds: 0),
                link: Array(try JSONDocument(parsing: Array(#"["first","second"]"#.utf8)).root.elements),
                handling: handling)
        }
        #expect(attempts == [.follow, .keep] && handling == .keep)
        #expect(tree.revision == 1 && tree.visibleScreen == "step 1")
    }

    /// Returns a host whose next host is never ready, so that a link succeeds only in part.
    private func halfWay() -> PlacesCoordinator {
        PlacesCoordinator(onFlow: [
            .first: { $0.start(PlacesCoordinator(onFlow: [.second: { _ in throw Later() }])) }
        ])
    }

    private func opened(_ root: @escaping () -> AnyCoordinator) throws -> Rehearsal {
        try Rehearsal { try Tree(root: root(), seed: 1, time: Timestamp(milliseconds: 0), handling: $0) }
    }

    private func input(_ action: String) throws -> Input {
        let json = try JSONDocument(parsing: Array(action.utf8)).root
        return Input(try InputAction(json), at: Timestamp(milliseconds: 0))
    }
}

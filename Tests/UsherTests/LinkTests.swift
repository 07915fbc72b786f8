import Testing
import Usher
import UsherJSON

@Suite("Links")
struct LinkTests {
    @Test func `each host of a link handles one step, and returns the host for the next step`() throws {
        let walker = try Walker(
            PlacesCoordinator(onFlow: [.first: { $0.start(PlacesCoordinator(onFlow: [.second: { $0.show() }])) }]))
        try walker.handle(#"{"open":["first","second"]}"#)
        #expect(try walker.stack == ["step#1", "step#2", "step#3"])
        #expect(try walker.text("pending") == "[]")
    }

    @Test func `a link whose host is not ready waits until the host is ready`() throws {
        let walker = try Walker(waiting())
        try walker.handle(#"{"open":["first"]}"#)
        #expect(try walker.text("pending") == #"["open"]"#)
        try walker.send("two")
        #expect(try walker.text("pending") == #"["open"]"#)
        try walker.send("one")
        #expect(try walker.text("pending") == "[]")
        #expect(try walker.stack == ["step#1", "step#2", "step#3"])
        #expect(walker.tree.revision == 4)
    }

    @Test(arguments: [true, false])
    func `a link is undone if its next host is not ready, whatever the first step did`(
        cancels: Bool
    ) throws {
        let walker = try Walker(
            PlacesCoordinator(
                onFlow: [
                    .first: { me in
                        let child = me.child(ScriptedCoordinator.self)
                        if cancels { child?.cancel() } else { child?.handles[0].update { $0.note = "half-way" } }
                    }
                ],
                onStart: { me in
                    me.show()
                    me.start(ScriptedCoordinator())
                    me.start(PlacesCoordinator(onFlow: [.second: { _ in throw Later() }]))
                }))
        #expect(try walker.rejection(of: #"{"open":["first","second"]}"#)?.retry == .keep)
    }

    @Test func `a link keeps the modal to which it leads, even if its flow presents another modal above`() throws {
        let walker = try Walker(
            PlacesCoordinator(
                onFlow: [.first: { _ in }],
                onStart: { me in
                    me.show()
                    me.present(
                        PlacesCoordinator(onFlow: [
                            .second: { $0.present(ScriptedCoordinator(), as: .sheet) }
                        ]), as: .sheet)
                }))
        try walker.handle(#"{"open":["first","second"]}"#)
        #expect(try walker.stacks == ["root[1]", "sheet[2]", "sheet[3]"])
        #expect(try walker.text("changes") == #"[{"present":[3]}]"#)
    }

    @Test func `a link does not close modals that the link itself has presented`() throws {
        let walker = try Walker(
            PlacesCoordinator(
                onFlow: [
                    .first: { me in
                        for _ in 1...8 { me.present(StepScreen(), as: .sheet) { _, _ in } }
                        me.show()
                    }
                ], onEvent: [.one: { me in me.present(StepScreen(), as: .sheet) { _, _ in } }]))
        try walker.send("one")
        try walker.handle(#"{"open":["first"]}"#)
        #expect(try walker.stacks == ["root[1, 11]"] + (3...10).map { "sheet[\($0)]" })
    }

    @Test func `if a link's step dismisses its own modal, no other modal closes and no warning appears`()
        throws
    {
        let walker = try Walker(
            PlacesCoordinator(
                onFlow: [.first: { _ in }],
                onStart: { me in
                    me.show()
                    me.present(
                        PlacesCoordinator(
                            onFlow: [.second: { $0.dismiss() }],
                            onEvent: [.one: { me in me.present(StepScreen(), as: .sheet) { _, _ in } }]),
                        as: .sheet)
                }))
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]", "sheet[2]", "sheet[3]"])
        try walker.handle(#"{"open":["first","second"]}"#)
        #expect(try walker.stacks == ["root[1]", "sheet[2]"])
        #expect(try walker.text("changes") == #"[{"dismiss":[3]}]"#)
        #expect(try walker.text("warnings") == "")
    }

    @Test func `a link stops with a warning if a host returns a next host that was not started`() throws {
        let walker = try Walker(ForgetfulCoordinator())
        try walker.handle(#"{"open":["first","second"]}"#)
        #expect(try walker.stack == ["step#1"])
        #expect(
            try walker.text("warnings")
                == #"["ForgetfulCoordinator: `open` returned PlacesCoordinator without starting it, so the "#
                + #"returned coordinator shows nothing"]"#
        )
    }

    @Test func `a link is refused if a step is not a flow, and the error lists the flows`() throws {
        let walker = try Walker(PlacesCoordinator())
        let rejection = try walker.rejection(of: #"{"open":["third"]}"#)
        #expect(rejection?.kind == .invalid)
        #expect(rejection?.reason.contains("first, second") == true)
    }

    @Test func `an app without flows refuses links`() throws {
        let walker = try Walker(ScriptedCoordinator())
        #expect(try walker.rejection(of: #"{"open":["first"]}"#)?.reason.contains("accepts no links") == true)
    }

    /// A host that is ready when two screens are shown; `one` shows the second.
    private func waiting() -> PlacesCoordinator {
        let ready = Reference()
        return PlacesCoordinator(
            onFlow: [
                .first: { me in
                    guard !ready.notes.isEmpty else { throw Later() }
                    me.show()
                }
            ],
            onEvent: [
                .one: { me in
                    ready.notes.append("ready")
                    me.show()
                }
            ])
    }
}

/// A coordinator that creates the next step's host, but does not start it.
private final class ForgetfulCoordinator: Coordinator<Never>, FlowHost {
    enum Flow: String, Codable, CaseIterable { case first }

    override func start() {
        push(StepScreen()) { _, _ in }
    }

    func open(_ flow: Flow) -> (any FlowHost)? { PlacesCoordinator(onFlow: [.second: { $0.show() }]) }
}

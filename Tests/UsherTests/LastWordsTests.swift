import Testing
import Usher
import UsherJSON

/// Tests that the `deinit` of a view model, which runs while its screen is released, may call its coordinator.
@Suite("A view model that acts on its coordinator when it is released")
struct LastWordsTests {
    /// A call to a coordinator, and its name in a warning; nil if there is no warning.
    struct Act: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let operation: String?
        let body: @Sendable (ScriptedCoordinator) -> Void

        init(_ name: String, warns operation: String? = nil, _ body: @escaping @Sendable (ScriptedCoordinator) -> Void)
        {
            (testDescription, self.operation, self.body) = (name, operation, body)
        }

        static let all = [
            Act("finish") { $0.finish("closed") },
            Act("finish(next:)") { $0.finish(next: ForeignFlow.nowhere(secret: "")) },
            Act("cancel") { $0.cancel() },
            Act("push", warns: "push") { $0.show() },
            Act("present", warns: "present") { $0.show(as: .sheet) },
            Act("start", warns: "start") { $0.start(ScriptedCoordinator()) },
            Act("replace", warns: "replace") { $0.replace(with: StepScreen()) { _, _ in } },
            Act("replace by a child", warns: "replace") { $0.replace(with: ScriptedCoordinator()) },
            Act("tabs", warns: "tabs") { $0.tabs(named: ["a"], selected: "a") { _, _ in ScriptedCoordinator() } },
            Act("pop", warns: "pop") { $0.pop() },
            Act("dismiss", warns: "dismiss") { $0.dismiss() },
            Act("perform", warns: "perform") { $0.echo() },
            Act("update") { $0.handles.first?.update { $0.note = "too late" } },
        ]
    }

    @Test(arguments: Act.all)
    func `a coordinator that is ending ignores its view model's calls, and most of these calls cause a warning`(
        act: Act
    )
        throws
    {
        let walker = try Walker(Self.root(act))
        try walker.send("one")
        try walker.send("two")
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.text("changes") == #"[{"pop":[3,2]}]"#)
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
        let warnings = act.operation.map { #"["ScriptedCoordinator has ended: `\#($0)` did nothing"]"# }
        #expect(try walker.text("warnings") == warnings ?? "")
        #expect(walker.tree.leaks == [])
        // The parent was called only once, for the first end.
        try walker.send("three")
        #expect(try walker.text("stack").contains("finished(\\\"done\\\")"))
    }

    @Test(arguments: Act.all)
    func `a view model cannot change a tree that was ended from outside or dropped`(act: Act) throws {
        let walker = try Walker(Self.root(act))
        try walker.send("one")
        #expect(walker.tree.end() == [])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 2, leaked: 0))
        var dropped: Walker? = try Walker(Self.root(act))
        try dropped?.send("one")
        dropped = nil
    }

    @Test func `when only a view model's screen leaves, the view model can still finish its coordinator`() throws {
        let walker = try Walker(Self.root(Act("finish") { $0.finish("closed") }))
        try walker.send("one")
        try walker.back()
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.text("changes") == #"[{"pop":[3,2]}]"#)
        try walker.send("three")
        #expect(try walker.text("stack").contains("finished(\\\"closed\\\")"))
    }

    @Test func `when a view model's screen leaves, the view model can push another screen`() throws {
        let walker = try Walker(Self.root(Act("push") { $0.show() }))
        try walker.send("one")
        try walker.back()
        #expect(try walker.stack == ["step#1", "step#2", "step#4"])
        #expect(try walker.text("changes") == #"[{"pop":[3]},{"push":[4]}]"#)
    }

    @Test(arguments: [
        Act("replace", warns: "replace") { $0.replace(with: StepScreen()) { _, _ in } },
        Act("replace by a child", warns: "replace") { $0.replace(with: ScriptedCoordinator()) },
        Act("tabs", warns: "tabs") { $0.tabs(named: ["a"], selected: "a") { _, _ in ScriptedCoordinator() } },
    ])
    func `if a view model ends its coordinator while screens are replaced, the replacement stops`(act: Act) throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.start(
                    ScriptedCoordinator(onEvent: [.one: act.body]) { me in
                        let last = LastWords { [weak me] in me?.finish("closed") }
                        me.push(StepScreen(), keeping: last) { _, _ in }
                        me.show()
                    })
            })
        try walker.send("one")
        #expect(try walker.stack == [])
        #expect(try walker.text("tabs") == "")
        let warning = "ScriptedCoordinator has ended: `\(try #require(act.operation))` did nothing"
        #expect(try walker.text("warnings").contains(warning))
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
        #expect(walker.tree.leaks == [])
    }

    /// A root whose event `one` starts a child with two screens.
    ///
    /// The upper screen has a view model that makes a call when it is released. The child finishes at `two`, and
    /// `three` shows the outcomes that the root has received.
    private static func root(_ act: Act) -> ScriptedCoordinator {
        let heard = Reference()
        return ScriptedCoordinator(onEvent: [
            .one: { root in
                let child = ScriptedCoordinator(onEvent: [.two: { $0.finish("done") }]) { me in
                    me.show()
                    let last = LastWords { [weak me] in if let me { act.body(me) } }
                    me.push(StepScreen(), keeping: last) { [weak me] _, event in
                        if event == .two { me?.finish("done") }
                    }
                }
                root.start(child) { _, outcome in heard.notes.append("\(outcome)") }
            },
            .three: { root in root.handles[0].update { $0.note = heard.notes.joined(separator: ", ") } },
        ])
    }
}

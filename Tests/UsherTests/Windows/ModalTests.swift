import Testing
import Usher
import UsherJSON

@Suite("Modals")
struct ModalTests {
    @Test(arguments: [
        (PresentationStyle.sheet, "sheet", "true"), (.formSheet, "formSheet", "true"), (.popover, "popover", "true"),
        (.fullScreen, "fullScreen", "false"), (.overFullScreen, "overFullScreen", "false"), (.alert, "alert", "false"),
        (.actionSheet, "actionSheet", "true"),
    ])
    func `a modal covers all other screens and has its own stack`(
        style: PresentationStyle, shown: String, back: String
    ) throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { root in root.present(ScriptedCoordinator(onEvent: [.one: { $0.show() }]), as: style) }
            ]))
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]", "\(shown)[2]"])
        #expect(try walker.text("changes") == #"[{"present":[2]}]"#)
        #expect(try walker.text("back") == back)
    }

    @Test func `E-06: when a coordinator finishes, its modal and the modal above close, the top modal first`() throws {
        let presenter = Reference()
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                let child = ScriptedCoordinator { me in
                    me.show()
                    me.present(
                        ScriptedCoordinator { sheet in
                            sheet.show()
                            sheet.show()
                            sheet.present(
                                ScriptedCoordinator(onEvent: [.one: { _ in presenter.coordinator?.finish("all") }]),
                                as: .fullScreen)
                        }, as: .sheet)
                }
                presenter.coordinator = child
                root.start(child) { root, outcome in root.handles[0].update { $0.note = "\(outcome)" } }
            })
        #expect(try walker.stacks == ["root[1, 2]", "sheet[3, 4]", "fullScreen[5]"])
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]"])
        #expect(try walker.text("changes") == #"[{"dismiss":[5,4,3]},{"pop":[2]},{"update":[1]}]"#)
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 4, finished: 3, leaked: 0))
    }

    @Test func `dismiss() closes the topmost modal of the caller and everything above it`() throws {
        let root = ScriptedCoordinator { root in
            root.show()
            root.show(as: .sheet)
            root.show(as: .fullScreen)
        }
        root.onEvent = [.one: { $0.dismiss() }, .two: { $0.dismiss($0.handles[1]) }]
        let walker = try Walker(root)
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]", "sheet[2]"])
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]"])
        try walker.send("one")
        #expect(try walker.text("warnings").contains("`dismiss` did nothing"))
    }

    @Test func `dismissing a modal closes the modals above it`() throws {
        let root = ScriptedCoordinator { root in
            root.show()
            root.show(as: .sheet)
            root.show(as: .fullScreen)
        }
        root.onEvent = [.one: { $0.dismiss($0.handles[1]) }]
        let walker = try Walker(root)
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]"])
        #expect(try walker.text("changes") == #"[{"dismiss":[3,2]}]"#)
    }

    @Test func `a child that dismisses its own modal is cancelled`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { root in
                    root.present(ScriptedCoordinator(onEvent: [.one: { $0.dismiss() }]), as: .fullScreen) {
                        me, outcome in
                        me.handles[0].update { $0.note = "\(outcome)" }
                    }
                }
            ]))
        try walker.send("one")
        try walker.send("one")
        #expect(try walker.text("stack").contains(#"{"note":"cancelled"}"#))
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test func `replace(with:) inside a modal replaces only the modal's stack`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.present(
                    ScriptedCoordinator(onEvent: [.one: { $0.replace(with: ScriptedCoordinator()) }]) { me in
                        me.show()
                        me.show()
                    }, as: .sheet)
            })
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]", "sheet[4]"])
        #expect(try walker.text("changes") == #"[{"replace":{"out":[3,2],"in":[4]}}]"#)
        try walker.handle(#"{"dismissed":4}"#)
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 3, finished: 2, leaked: 0))
    }

    @Test func `the stack below a modal can be replaced while coordinators end, and stays below the modal`() throws {
        let replacement = ScriptedCoordinator { me in
            me.start(ScriptedCoordinator { $0.finish("") })
            me.show()
        }
        let inSheet = ScriptedCoordinator { me in
            me.show()
            me.present(StepScreen(), as: .sheet) { me, _ in me.replace(with: replacement) }
        }
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.present(inSheet, as: .sheet) }]))
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]", "sheet[2]", "sheet[3]"])
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]", "sheet[4]", "sheet[3]"])
    }

    @Test func `a modal without screens is not shown until its child shows a screen`() throws {
        let silent = Reference()
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { root in
                    let child = ScriptedCoordinator { _ in }
                    silent.coordinator = child
                    root.present(child, as: .sheet)
                }, .two: { _ in silent.coordinator?.show() },
            ]))
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]"])
        #expect(try walker.text("changes") == "[]")
        try walker.send("two")
        #expect(try walker.stacks == ["root[1]", "sheet[2]"])
        try walker.back()
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    @Test func `a modal is not shown if its child finishes in start()`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { root in
                    root.present(ScriptedCoordinator { $0.finish("x") }, as: .sheet) { me, _ in me.show(as: .sheet) }
                }
            ]))
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]", "sheet[2]"])
        #expect(try walker.text("changes") == #"[{"present":[2]}]"#)
    }

    @Test func `when a sheet's first screen leaves, the next screen becomes the sheet's first screen`() throws {
        let first = Reference()
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.present(
                    ScriptedCoordinator(onEvent: [.one: { _ in first.coordinator?.finish("") }]) { sheet in
                        let child = ScriptedCoordinator()
                        first.coordinator = child
                        sheet.start(child)
                        sheet.show()
                    }, as: .sheet)
            })
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]", "sheet[3]"])
        #expect(try walker.handle(#"{"dismissed":3}"#))
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 3, finished: 2, leaked: 0))
    }
}

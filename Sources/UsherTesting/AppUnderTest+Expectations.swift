public import Testing
public import Usher

extension AppUnderTest {
    /// Expects all stacks to equal a text such as `n[start, login]`.
    ///
    /// The text has the base with its hidden tabs, then all modals, from bottom to top, as in
    /// `tab(home){home[home], chat[chatList]} ⊕ sheet[invite]`.
    public func expectStack(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the stack", expected, stack, sourceLocation)
    }

    /// Expects the coordinator tree to equal a text in the form of `tree`, such as `App→[TabBar→[Home, Chat]]`.
    public func expectTree(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the coordinator tree", expected, tree, sourceLocation)
    }

    /// Expects the visible screen to equal a screen in name and encoded state.
    public func expectVisible<S: Screen>(_ expected: S, sourceLocation: SourceLocation = #_sourceLocation) {
        let state: String
        do {
            state = try TestJSON.json(expected)
        } catch {
            return record("\(S.self) does not encode: \(error)", at: sourceLocation)
        }
        let found = visible.map { "\($0.name) \($0.state)" } ?? "no screen"
        expect("the visible screen", "\(expected.instanceName ?? S.name) \(state)", found, sourceLocation)
    }

    /// Expects the visible screen's state to equal a JSON text, with the members in the order of the properties.
    public func expectState(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the visible screen's state", expected, visible?.state ?? "no screen", sourceLocation)
    }

    /// Expects the changes that clients animate after the newest input, such as `[{"pop":[2]},{"push":[3]}]` in JSON.
    public func expectChanges(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("what changed", expected, changes, sourceLocation)
    }

    /// Expects the session to wait for exactly these effects, timers and links, in the order in which they began.
    ///
    /// A timer has the name `timer`, and a link has the name `open`.
    public func expectPending(_ expected: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        expect(
            "what is pending", "[\(expected.joined(separator: ", "))]", "[\(pending.joined(separator: ", "))]",
            sourceLocation)
    }

    /// Expects the root coordinator to have ended the session.
    ///
    /// The text has the form of the state's JSON, such as `{"reason":"finished","result":"paid"}`.
    public func expectEnded(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the end of the session", expected, ending, sourceLocation)
    }

    private func expect(_ what: String, _ expected: String, _ found: String, _ sourceLocation: SourceLocation) {
        guard expected != found else { return }
        record("\(what) is not as expected\n\(Difference(expected: expected, found: found))", at: sourceLocation)
    }
}

extension AppUnderTest {
    /// Expects the session to refuse each input in a body, and expects no input to change the session.
    ///
    /// ```swift
    /// app.expectRefusal(.stale, naming: "gone") { $0.send("close", from: 4) }
    /// ```
    ///
    /// The words must occur in the reason, or in the error that the app threw. On a server, the kind `.stale` has the
    /// status 409, `.failed` has the status 500, and every other kind has the status 422.
    public func expectRefusal(
        _ kind: Rejection.Kind, naming words: String = "", sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        let before = Moment(of: self)
        let attempts = try attempt(body)
        let wanted = words.isEmpty ? "a refusal (\(kind))" : "a refusal (\(kind)) with \"\(words)\""
        let counted = attempts.inputs - attempts.rejections.count
        guard attempts.inputs > 0, counted == 0 else {
            let found =
                attempts.inputs == 0
                ? "no input was sent" : "\(counted) of \(attempts.inputs) inputs were not rejected"
            return record("expected \(wanted), but \(found)", at: sourceLocation)
        }
        for rejection in attempts.rejections where rejection.kind != kind || !rejection.says(words) {
            record("expected \(wanted), but an input was rejected \(rejection.words)", at: sourceLocation)
        }
        expect(before, sourceLocation)
    }

    /// Expects the session not to refuse the inputs in a body, and to keep its state, coordinators and revision.
    ///
    /// Such inputs report what the session already knows.
    public func expectUnchanged(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        let before = Moment(of: self)
        recordRejections(of: try attempt(body), sourceLocation)
        expect(before, sourceLocation)
    }

    /// Expects the engine to warn about an input in a body, with a text that occurs in one of the warnings.
    public func expectWarning(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        let attempts = try attempt(body)
        recordRejections(of: attempts, sourceLocation)
        guard !attempts.warnings.contains(where: { $0.has(words) }) else { return }
        let found =
            attempts.warnings.isEmpty
            ? "there was none" : "the warnings were: \(attempts.warnings.joined(separator: "; "))"
        record("expected a warning with \"\(words)\", but \(found)", at: sourceLocation)
    }

    /// The session at one moment, which is compared with another moment to detect changes.
    private struct Moment {
        let state: String
        let report: String

        init(of app: AppUnderTest) {
            state = app.state?.text ?? ""
            report = app.report?.text ?? ""
        }
    }

    func recordRejections(of attempts: Attempts, _ sourceLocation: SourceLocation) {
        for rejection in attempts.rejections {
            record("the input was rejected \(rejection.words)", at: sourceLocation)
        }
    }

    private func expect(_ before: Moment, _ sourceLocation: SourceLocation) {
        let after = Moment(of: self)
        for (what, before, after) in [
            ("the state", before.state, after.state), ("the tree", before.report, after.report),
        ] where before != after {
            record("\(what) has changed\n\(Difference(expected: before, found: after))", at: sourceLocation)
        }
    }
}

extension String {
    fileprivate func has(_ words: String) -> Bool {
        words.isEmpty || contains(words)
    }
}

extension Rejection {
    /// A text of the rejection's kind, its reason, and the error of the app, which clients do not see.
    var words: String {
        "(\(kind)): \(reason)" + (cause.map { " (\($0))" } ?? "")
    }

    fileprivate func says(_ words: String) -> Bool {
        reason.has(words) || cause?.has(words) == true
    }
}

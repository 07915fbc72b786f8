public import Testing
public import Usher

extension AppUnderTest {
    /// Expects all stacks to equal a text.
    ///
    /// - Parameters:
    ///   - expected: A text such as `n[start, login]`, or `tab(home){home[home], chat[chatList]} ⊕ sheet[invite]`: the
    ///     base with its hidden tabs, then all modals, from bottom to top.
    ///   - sourceLocation: The location at which an issue is recorded.
    public func expectStack(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the stack", expected, stack, sourceLocation)
    }

    /// Expects the coordinator tree to equal a text.
    ///
    /// - Parameters:
    ///   - expected: The coordinators' types without the suffix `Coordinator`, such as `App→[TabBar→[Home, Chat]]`.
    ///   - sourceLocation: The location at which an issue is recorded.
    public func expectTree(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the coordinator tree", expected, tree, sourceLocation)
    }

    /// Expects the visible screen to equal a screen in name and state.
    ///
    /// - Parameters:
    ///   - expected: The screen, whose name and encoded state are compared.
    ///   - sourceLocation: The location at which an issue is recorded.
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

    /// Expects the visible screen's state to equal a text.
    ///
    /// - Parameters:
    ///   - expected: The state as JSON. The members have the order in which the screen declares its properties.
    ///   - sourceLocation: The location at which an issue is recorded.
    public func expectState(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the visible screen's state", expected, visible?.state ?? "no screen", sourceLocation)
    }

    /// Expects the changes that clients animate after the newest input.
    ///
    /// - Parameters:
    ///   - expected: The changes as JSON, such as `[{"pop":[2]},{"push":[3]}]`.
    ///   - sourceLocation: The location at which an issue is recorded.
    public func expectChanges(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("what changed", expected, changes, sourceLocation)
    }

    /// Expects the session to wait for exactly these effects, timers and links.
    ///
    /// - Parameters:
    ///   - expected: The names of the effects, in the order in which they began. A timer has the name `timer`, and a
    ///     link has the name `open`.
    ///   - sourceLocation: The location at which an issue is recorded.
    public func expectPending(_ expected: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        expect(
            "what is pending", "[\(expected.joined(separator: ", "))]", "[\(pending.joined(separator: ", "))]",
            sourceLocation)
    }

    /// Expects the root coordinator to have ended the session.
    ///
    /// - Parameters:
    ///   - expected: The end in the form of the state's JSON, such as `{"reason":"finished","result":"paid"}`.
    ///   - sourceLocation: The location at which an issue is recorded.
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
    /// - Parameters:
    ///   - kind: The kind of refusal. On a server, `.stale` has the status 409, `.failed` has the status 500, and every
    ///     other kind has the status 422.
    ///   - words: Text that must occur in the reason, or in the error that the app threw.
    ///   - body: The inputs.
    ///   - sourceLocation: The location at which an issue is recorded.
    public func expectRefusal(
        _ kind: Rejection.Kind, naming words: String = "", sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        let before = Moment(of: self)
        let attempts = try attempt(body)
        let wanted = words.isEmpty ? "a refusal (\(kind))" : "a refusal (\(kind)) with \"\(words)\""
        let counted = attempts.inputs - attempts.rejections.count
        guard attempts.inputs > 0, counted == 0 else {
            return record("expected \(wanted), but \(counted) of \(attempts.inputs) inputs counted", at: sourceLocation)
        }
        for rejection in attempts.rejections where rejection.kind != kind || !rejection.says(words) {
            record("expected \(wanted), but it was \(rejection.words)", at: sourceLocation)
        }
        expect(before, sourceLocation)
    }

    /// Expects that the session does not refuse the inputs in a body, and that the inputs change nothing, because they
    /// report what the session already knows.
    ///
    /// The state, the coordinators and the revision stay the same.
    ///
    /// - Parameters:
    ///   - body: The inputs.
    ///   - sourceLocation: The location at which an issue is recorded.
    public func expectUnchanged(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        let before = Moment(of: self)
        recordRejections(of: try attempt(body), sourceLocation)
        expect(before, sourceLocation)
    }

    /// Expects the engine to warn about an input in a body.
    ///
    /// - Parameters:
    ///   - words: Text that must occur in one of the warnings.
    ///   - body: The inputs.
    ///   - sourceLocation: The location at which an issue is recorded.
    public func expectWarning(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        let attempts = try attempt(body)
        recordRejections(of: attempts, sourceLocation)
        guard !attempts.warnings.contains(where: { $0.has(words) }) else { return }
        let found =
            attempts.warnings.isEmpty ? "there was none" : "there was: \(attempts.warnings.joined(separator: "; "))"
        record("expected a warning with \"\(words)\", but \(found)", at: sourceLocation)
    }

    /// The session at one moment.
    ///
    /// Two moments are compared to detect changes.
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
    /// Returns whether the string contains the words.
    ///
    /// If there are no words, returns true.
    fileprivate func has(_ words: String) -> Bool {
        words.isEmpty || contains(words)
    }
}

extension Rejection {
    /// A text of the rejection's kind, its reason, and the error of the app, which clients do not see.
    var words: String {
        "(\(kind)): \(reason)" + (cause.map { " (\($0))" } ?? "")
    }

    /// Returns whether the reason or the error of the app contains the words.
    fileprivate func says(_ words: String) -> Bool {
        reason.has(words) || cause?.has(words) == true
    }
}

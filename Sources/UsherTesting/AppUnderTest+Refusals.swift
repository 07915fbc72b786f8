public import Testing
public import Usher

extension AppUnderTest {
    /// Expects the body's inputs to be refused, each of them, and to change nothing.
    ///
    /// ```swift
    /// app.expectRefusal(.stale, naming: "gone") { $0.send("close", from: 4) }
    /// ```
    ///
    /// - Parameters:
    ///   - kind: What they fail of: `.stale` is a 409, `.failed` a 500, all others a 422.
    ///   - words: What the reason must contain.
    ///   - sourceLocation: Where an issue is recorded.
    ///   - body: The inputs.
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
        for rejection in attempts.rejections where rejection.kind != kind || !rejection.reason.has(words) {
            record("expected \(wanted), but it was (\(rejection.kind)): \(rejection.reason)", at: sourceLocation)
        }
        expect(before, sourceLocation)
    }

    /// Expects the body to leave the state, the coordinators and the revision exactly as they were, without a refusal:
    /// facts that were known already.
    ///
    /// - Parameters:
    ///   - sourceLocation: Where an issue is recorded.
    ///   - body: The inputs.
    public func expectUnchanged(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        let before = Moment(of: self)
        recordRejections(of: try attempt(body), sourceLocation)
        expect(before, sourceLocation)
    }

    /// Expects the engine to warn of something that the body does.
    ///
    /// - Parameters:
    ///   - words: What one of the warnings must contain.
    ///   - sourceLocation: Where an issue is recorded.
    ///   - body: The inputs.
    public func expectWarning(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: (AppUnderTest) throws -> Void
    ) rethrows {
        let attempts = try attempt(body)
        recordRejections(of: attempts, sourceLocation)
        guard !attempts.warnings.contains(where: { $0.has(words) }) else { return }
        let found = attempts.warnings.isEmpty ? "none came" : "there was: \(attempts.warnings.joined(separator: "; "))"
        record("expected a warning with \"\(words)\", but \(found)", at: sourceLocation)
    }

    /// What must not change.
    private struct Moment {
        let state: String
        let report: String

        init(of app: AppUnderTest) {
            state = app.state?.text ?? ""
            report = app.report?.text ?? ""
        }
    }

    private func attempt(_ body: (AppUnderTest) throws -> Void) rethrows -> Attempts {
        let outer = attempts
        attempts = Attempts()
        defer { attempts = outer }
        try body(self)
        return attempts ?? Attempts()
    }

    private func recordRejections(of attempts: Attempts, _ sourceLocation: SourceLocation) {
        for rejection in attempts.rejections {
            record("it did not count (\(rejection.kind)): \(rejection.reason)", at: sourceLocation)
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
    /// Whether it contains words; it always contains none.
    fileprivate func has(_ words: String) -> Bool {
        words.isEmpty || contains(words)
    }
}

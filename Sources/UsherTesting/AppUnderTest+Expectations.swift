public import Testing
public import Usher

extension AppUnderTest {
    /// Expects all stacks to be as written.
    ///
    /// - Parameters:
    ///   - expected: Such as `n[start, login]`, or `tab(home){home[home], chat[chatList]} ⊕ sheet[invite]`: the base, then
    ///     each modal, bottom to top; hidden tabs as well.
    ///   - sourceLocation: Where an issue is recorded.
    public func expectStack(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the stack", expected, stack, sourceLocation)
    }

    /// Expects exactly these coordinators.
    ///
    /// - Parameters:
    ///   - expected: The types without `Coordinator`, such as `App→[TabBar→[Home, Chat]]`.
    ///   - sourceLocation: Where an issue is recorded.
    public func expectTree(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the coordinator tree", expected, tree, sourceLocation)
    }

    /// Expects the visible screen to be one with this state.
    ///
    /// - Parameters:
    ///   - expected: The screen; its name and its encoded state are compared.
    ///   - sourceLocation: Where an issue is recorded.
    public func expectVisible<S: Screen>(_ expected: S, sourceLocation: SourceLocation = #_sourceLocation) {
        let state: String
        do {
            state = try Text.json(expected)
        } catch {
            return record("\(S.self) does not encode: \(error)", at: sourceLocation)
        }
        let found = visible.map { "\($0.name) \($0.state)" } ?? "no screen"
        expect("the visible screen", "\(S.name) \(state)", found, sourceLocation)
    }

    /// Expects the visible screen's state to be as written.
    ///
    /// - Parameters:
    ///   - expected: The state as JSON, its members in the order in which the screen declares them.
    ///   - sourceLocation: Where an issue is recorded.
    public func expectState(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the visible screen's state", expected, visible?.state ?? "no screen", sourceLocation)
    }

    /// Expects what the newest input told clients to animate.
    ///
    /// - Parameters:
    ///   - expected: Such as `[{"pop":[2]},{"push":[3]}]`.
    ///   - sourceLocation: Where an issue is recorded.
    public func expectChanges(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("what changed", expected, changes, sourceLocation)
    }

    /// Expects the session to wait for exactly this.
    ///
    /// - Parameters:
    ///   - expected: The names of effects, in the order in which they began; `timer` for a timer, `open` for a link.
    ///   - sourceLocation: Where an issue is recorded.
    public func expectPending(_ expected: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        expect(
            "what is pending", "[\(expected.joined(separator: ", "))]", "[\(pending.joined(separator: ", "))]",
            sourceLocation)
    }

    /// Expects the root coordinator to have ended the session.
    ///
    /// - Parameters:
    ///   - expected: As the state says it, such as `{"reason":"finished","result":"paid"}`.
    ///   - sourceLocation: Where an issue is recorded.
    public func expectEnded(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expect("the end of the session", expected, ending, sourceLocation)
    }

    private func expect(_ what: String, _ expected: String, _ found: String, _ sourceLocation: SourceLocation) {
        guard expected != found else { return }
        record("\(what) is not as expected\n\(Difference(expected: expected, found: found))", at: sourceLocation)
    }
}

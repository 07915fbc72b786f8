/// What has changed in the window over one input or several, so that a client can animate it.
public struct ChangeHistory: Sendable {
    private(set) var changes: Few<WindowChange>

    init(_ log: ChangeLog) {
        changes = log.changes
    }

    /// Adds what came later.
    ///
    /// - Parameter later: The changes of the inputs that follow.
    public mutating func append(_ later: ChangeHistory) {
        changes += later.changes
    }
}

extension Tree {
    /// What the last input has changed.
    public var changes: ChangeHistory { ChangeHistory(changeLog) }
}

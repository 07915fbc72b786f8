/// All that can change a tree once it stands: an action, and the moment it came.
///
/// Coordinators are deterministic, so a tree is a function of its creation and its inputs.
public struct Input: Sendable {
    /// What the user did.
    public let action: InputAction
    /// When it came: the coordinators' clock.
    public let time: Timestamp

    /// Makes an input.
    ///
    /// - Parameters:
    ///   - action: What the user did.
    ///   - time: When it came.
    public init(_ action: InputAction, at time: Timestamp) {
        self.action = action
        self.time = time
    }
}

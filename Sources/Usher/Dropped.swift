/// What a session has lost because a build could not follow its inputs: the session resumed at an earlier revision.
///
/// The root coordinator gets it in `AnyCoordinator.didResume(dropped:)`.
public struct Dropped: Equatable, Sendable {
    /// The number of the user's inputs.
    public var inputs = 0
    /// The number of messages from a backend.
    public var messages = 0
    /// The names of the effects that had ended, such as `charge`; none of them runs again.
    public var results: [String] = []
    /// The names of the effects that were under way.
    public var effects: [String] = []
    /// The owners of the timers that were running, each the path of its coordinator and the name of its screen, such as
    /// `shop/checkout pay`.
    public var timers: [String] = []

    /// Creates one that has lost nothing.
    public init() {}
}

/// The losses of a session that resumed at an earlier revision, because a build could not follow its inputs.
///
/// The root coordinator receives them in `AnyCoordinator.didResume(dropped:)`.
public struct Dropped: Equatable, Sendable {
    /// The number of lost user inputs.
    public var inputs = 0
    /// The number of lost messages from a backend.
    public var messages = 0
    /// The names of the effects whose results were lost, such as `charge`; none of them runs again.
    public var results: [String] = []
    /// The names of the effects that were running.
    public var effects: [String] = []
    /// The owners of the timers that were running.
    ///
    /// Each is the path of its coordinator and the name of its screen, such as `shop/checkout pay`.
    public var timers: [String] = []

    /// Creates a value without losses.
    public init() {}
}

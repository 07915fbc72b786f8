/// The losses of a session that resumed at an earlier revision, because a build could not replay all inputs.
///
/// The root coordinator receives the losses in `AnyCoordinator.didResume(dropped:)`.
public struct Dropped: Equatable, Sendable {
    /// The number of lost user inputs.
    public var inputs = 0
    /// The number of lost messages from a backend.
    public var messages = 0
    /// The names of the effects whose results were lost, such as `charge`; these effects do not run again.
    public var results: [String] = []
    /// The names of the lost effects that were still running.
    public var effects: [String] = []
    /// The owners of the lost timers that were still running.
    ///
    /// An owner is the path of the timer's coordinator and the name of the timer's screen, such as `shop/checkout pay`.
    public var timers: [String] = []

    /// Creates a value without losses.
    public init() {}
}

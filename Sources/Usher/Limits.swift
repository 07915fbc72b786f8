/// The limits to which one session may grow.
///
/// Crossing a limit refuses the input that does.
public struct Limits: Sendable {
    /// Screens in all stacks together.
    public var screens = 64
    /// Live coordinators.
    public var coordinators = 128
    /// Coordinators started within one input, so that flows that start each other for ever are stopped.
    public var startsPerInput = 256
    /// Effects and timers that are pending.
    public var effects = 32
    /// Bytes of JSON of one effect's output.
    public var outputBytes = 64 * 1024
    /// Bytes of JSON of all screens together.
    public var stateBytes = 64 * 1024

    /// The default limits.
    public init() {}
}

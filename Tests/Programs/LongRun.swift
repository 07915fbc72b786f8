/// A run of the tests that takes hours, on a machine that does nothing else, with `USHER_LONG` in the environment.
///
/// The gate runs only part of what such a run tries, and has no time limits that a busy machine may exceed.
public enum LongRun {
    /// A Boolean value that indicates whether this is a long run.
    public static let isOn = Program.environment["USHER_LONG"] != nil

    /// Returns one of two values, for the gate or for a long run.
    public static func choose<Value>(_ gate: Value, long: Value) -> Value { isOn ? long : gate }
}

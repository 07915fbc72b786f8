/// A run of the tests that takes hours, on a machine that does nothing else: `USHER_LONG` in the environment.
///
/// The gate runs a part of what such a run tries, and holds nobody to a time that a busy machine may exceed.
public enum LongRun {
    /// True in such a run.
    public static let isOn = Program.environment["USHER_LONG"] != nil

    /// A choice between what the gate does and what such a run does.
    public static func choose<Value>(_ gate: Value, long: Value) -> Value { isOn ? long : gate }
}

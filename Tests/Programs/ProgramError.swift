/// The reason why a program did not start.
public struct ProgramError: Error, Equatable {
    /// The program's path or name.
    public let program: String
    /// The system's error number.
    public let errorNumber: Int32
}

/// The end of a program.
public struct ProgramEnd: Equatable, Sendable {
    /// The exit status, or the negative number of the signal that ended the program.
    public let status: Int32
    /// The program's standard output.
    public let output: String
    /// The program's standard error.
    public let error: String
}

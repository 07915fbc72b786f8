/// How a program ended.
public struct ProgramEnd: Equatable, Sendable {
    /// Its exit status, or the signal that ended it, below zero.
    public let status: Int32
    /// What it wrote to its standard output.
    public let output: String
    /// What it wrote to its standard error.
    public let error: String
}

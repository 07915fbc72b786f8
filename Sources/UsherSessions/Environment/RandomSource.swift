/// Where session ids and seeds come from; a test puts in its own.
public protocol RandomSource: Sendable {
    /// 64 bits that nobody can guess.
    func next() -> UInt64
}

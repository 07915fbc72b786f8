/// Where session ids and seeds come from; a test puts in its own.
package protocol RandomSource: Sendable {
    /// 64 bits that nobody can guess.
    func next() -> UInt64
}

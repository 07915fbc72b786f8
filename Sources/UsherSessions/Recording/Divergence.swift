/// A replay that does not lead where the session once was.
struct Divergence: Error {
    /// The revision that comes out different.
    let revision: Int
    /// What was expected and what came.
    let reason: String
}

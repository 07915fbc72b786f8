/// Thrown by a `FlowHost` that cannot show a place yet, such as before a login.
///
/// A link is then kept, shown to the client as pending, and offered again within each later input. Outside of a link a
/// flow that comes too early counts as not taken.
public struct Later: Error, Sendable {
    /// Makes the error.
    public init() {}
}

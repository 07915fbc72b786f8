// The inputs of a session, each sent and waited for: they answer with the state that answered them, or throw the refusal.
extension Session {
    /// Sends a screen's event: of the visible one where none is named.
    @discardableResult
    public func send(
        _ event: String, _ payload: JSON? = nil, screen: Int? = nil
    ) async throws(Problem) -> SessionState {
        try await enqueue(.event(named: event, payload, screen: screen)).state
    }

    /// Asks to go back from a screen; from the visible one if none is named.
    @discardableResult
    public func back(screen: Int? = nil) async throws(Problem) -> SessionState {
        try await enqueue(.back(screen: screen)).state
    }

    /// The user has popped a screen, by a swipe.
    @discardableResult
    public func popped(_ screen: Int) async throws(Problem) -> SessionState {
        try await enqueue(.popped(screen)).state
    }

    /// The user has pulled a sheet down.
    ///
    /// - Parameter screen: Its first.
    @discardableResult
    public func dismissed(_ screen: Int) async throws(Problem) -> SessionState {
        try await enqueue(.dismissed(screen)).state
    }

    /// The user tapped a tab.
    @discardableResult
    public func select(_ tab: String) async throws(Problem) -> SessionState { try await enqueue(.select(tab)).state }

    /// Follows a deep link.
    @discardableResult
    public func follow(_ flows: [JSON]) async throws(Problem) -> SessionState { try await enqueue(.open(flows)).state }
}

// The inputs of a session: each is sent and waited for, and returns the new state or throws the refusal.
extension Session {
    /// Sends a screen's event, to the visible screen if no screen is named.
    @discardableResult
    public func send(
        _ event: String, _ payload: JSON? = nil, screen: Int? = nil
    ) async throws(Problem) -> SessionState {
        try await enqueue(.event(named: event, payload, screen: screen)).state
    }

    /// Asks to go back from a screen, or from the visible screen if no screen is named.
    @discardableResult
    public func back(screen: Int? = nil) async throws(Problem) -> SessionState {
        try await enqueue(.back(screen: screen)).state
    }

    /// Reports that the user has popped a screen, by a swipe.
    @discardableResult
    public func popped(_ screen: Int) async throws(Problem) -> SessionState {
        try await enqueue(.popped(screen)).state
    }

    /// Reports that the user has dismissed a sheet.
    ///
    /// - Parameter screen: The sheet's first screen.
    @discardableResult
    public func dismissed(_ screen: Int) async throws(Problem) -> SessionState {
        try await enqueue(.dismissed(screen)).state
    }

    /// Selects a tab that the user tapped.
    @discardableResult
    public func select(_ tab: String) async throws(Problem) -> SessionState { try await enqueue(.select(tab)).state }

    /// Opens a deep link.
    @discardableResult
    public func follow(_ flows: [JSON]) async throws(Problem) -> SessionState { try await enqueue(.open(flows)).state }
}

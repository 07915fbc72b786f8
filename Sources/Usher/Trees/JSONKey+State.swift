import UsherJSON

/// The members of a session's state.
extension JSONKey {
    static let stack = JSONKey("stack")
    static let back = JSONKey("back")
    static let changes = JSONKey("changes")
    static let pending = JSONKey("pending")
    static let id = JSONKey("id")
    static let coordinator = JSONKey("coordinator")
    static let shown = JSONKey("shown")
    static let state = JSONKey("state")
}

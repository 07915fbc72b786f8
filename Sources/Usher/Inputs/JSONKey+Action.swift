import UsherJSON

/// The members of an action.
extension JSONKey {
    static let screen = JSONKey("screen")
    static let event = JSONKey("event")
    static let popped = JSONKey("popped")
    static let dismissed = JSONKey("dismissed")
    static let select = JSONKey("select")
    static let open = JSONKey("open")
}

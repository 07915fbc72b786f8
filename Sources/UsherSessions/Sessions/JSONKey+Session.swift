import UsherJSON

/// The members with which each state of a session begins.
extension JSONKey {
    static let session = JSONKey("session")
    static let app = JSONKey("app")
    static let revision = JSONKey("revision")
}

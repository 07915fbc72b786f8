import UsherHTTP
import UsherSessions

extension Response {
    /// A session's state, with its revision as the entity tag.
    ///
    /// - Parameter location: Where the session is, for one that was just opened.
    static func state(_ snapshot: Snapshot, status: Status = .ok, location: String? = nil) -> Response {
        var response = state(snapshot, status, jsonFields)
        if let location { response.headers.append(name: "Location", value: location) }
        return response
    }

    /// A session's state, for one who only looks.
    ///
    /// No cache may keep what belongs to one user. The answers to other methods none keeps (RFC 9111, section 3), so these
    /// need not say so.
    static func current(_ snapshot: Snapshot) -> Response {
        state(snapshot, .ok, uncachedFields)
    }

    /// The client has the newest state already.
    ///
    /// The state is there for its length alone (RFC 9110, section 8.6): a 304 has no body on the wire.
    static func notModified(_ snapshot: Snapshot) -> Response {
        state(snapshot, .notModified, uncachedFields)
    }

    private static func state(_ snapshot: Snapshot, _ status: Status, _ fields: HeaderFields) -> Response {
        var headers = HeaderFields(reservingFields: 4, bytes: 104)
        headers.append(contentsOf: fields)
        headers.append(.entityTag, EntityTag.text(snapshot).utf8.span)
        if snapshot.isReplayed { headers.append(name: "Idempotent-Replayed", value: "true") }
        return Response(status: status, headers: headers, body: snapshot.state)
    }

    private static let jsonFields: HeaderFields = ["Content-Type": "application/json"]
    private static let uncachedFields: HeaderFields = ["Content-Type": "application/json", "Cache-Control": "no-store"]
}

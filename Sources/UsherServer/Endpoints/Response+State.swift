import UsherHTTP
import UsherSessions

extension Response {
    /// A session's state, with its revision as the entity tag.
    ///
    /// - Parameter location: Where the session is, for one that was just opened.
    static func state(_ snapshot: Snapshot, status: Status = .ok, location: String? = nil) -> Response {
        var headers = HeaderFields(reservingFields: 4, bytes: 128)
        headers.append(name: "Content-Type", value: "application/json")
        headers.append(name: "ETag", value: EntityTag.text(snapshot))
        // No cache may keep what belongs to one user.
        headers.append(name: "Cache-Control", value: "no-store")
        if snapshot.isReplayed { headers.append(name: "Idempotent-Replayed", value: "true") }
        if let location { headers.append(name: "Location", value: location) }
        return Response(status: status, headers: headers, body: snapshot.state)
    }

    /// The client has the newest state already.
    ///
    /// The state is there for its length alone (RFC 9110, section 8.6): a 304 has no body on the wire.
    static func notModified(_ snapshot: Snapshot) -> Response {
        .state(snapshot, status: .notModified)
    }
}

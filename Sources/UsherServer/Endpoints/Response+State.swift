import UsherHTTP
import UsherSessions

extension Response {
    /// A session's state, with its revision as the entity tag.
    static func state(_ snapshot: Snapshot, status: Status = .ok, headers: HeaderFields = HeaderFields()) -> Response {
        .json(snapshot.state, status: status, headers: headers.tagged(snapshot))
    }

    /// The client has the newest state already.
    ///
    /// The state is there for its length alone (RFC 9110, section 8.6): a 304 has no body on the wire.
    static func notModified(_ snapshot: Snapshot) -> Response {
        .json(snapshot.state, status: .notModified, headers: HeaderFields().tagged(snapshot))
    }
}

extension HeaderFields {
    /// With the revision; and no cache may keep what belongs to one user.
    fileprivate func tagged(_ snapshot: Snapshot) -> HeaderFields {
        var fields = self
        fields.append(name: "ETag", value: EntityTag.text(snapshot.revision))
        fields.append(name: "Cache-Control", value: "no-store")
        return fields
    }
}

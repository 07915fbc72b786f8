import UsherHTTP
import UsherSessions

extension Response {
    /// A session's state, with its revision as the entity tag.
    static func state(_ snapshot: Snapshot, status: Status = .ok, headers: HeaderFields = HeaderFields()) -> Response {
        .json(snapshot.state, status: status, headers: headers.tagged(snapshot))
    }

    /// The client has the newest state already.
    static func notModified(_ snapshot: Snapshot) -> Response {
        Response(status: .notModified, headers: HeaderFields().tagged(snapshot))
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

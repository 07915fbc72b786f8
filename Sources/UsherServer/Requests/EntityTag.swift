import UsherHTTP
import UsherSessions

/// An entity tag, which is a session's revision above all, and the conditions that clients make of it (RFC 9110,
/// sections 8.8.3, 13.1).
enum EntityTag {
    /// The tag of a snapshot: its revision, with the journal's epoch where a crash can take revisions back.
    static func text(_ snapshot: Snapshot) -> String {
        text(snapshot.revision, snapshot.epoch)
    }

    /// Adds the tag of a snapshot to its answer's fields.
    static func append(_ snapshot: Snapshot, to fields: inout HeaderFields) {
        if snapshot.epoch == nil {
            RevisionTag(snapshot.revision).append(to: &fields)
        } else {
            fields.append(.entityTag, text(snapshot).utf8.span)
        }
    }

    private static func text(_ revision: Int, _ epoch: String?) -> String {
        "\"" + String(revision) + (epoch.map { "." + $0 } ?? "") + "\""
    }

    /// Reads `If-Match`.
    ///
    /// `*` asks only that the session exists. A weak tag, or one that is no revision, never matches.
    ///
    /// - Throws: `Problem` 400 for anything but `*` or a list of entity tags.
    static func precondition(_ request: Request, epoch: String?) throws(Problem) -> Precondition {
        guard let tags = try tags(of: request, .ifMatch, "If-Match") else { return .none }
        if tags == ["*"] { return .none }
        return .revision(oneOf: tags.compactMap { revision($0, epoch) }, epoch: epoch)
    }

    /// Reads `If-None-Match`: whether the client has this revision already.
    ///
    /// - Throws: `Problem` 400 for anything but `*` or a list of entity tags.
    static func isKnown(_ snapshot: Snapshot, to request: Request) throws(Problem) -> Bool {
        try isKnown(text(snapshot), to: request)
    }

    /// Reads `If-None-Match`: whether the client has what bears this tag already.
    ///
    /// - Throws: `Problem` 400 for anything but `*` or a list of entity tags.
    static func isKnown(_ known: String, to request: Request) throws(Problem) -> Bool {
        guard let tags = try tags(of: request, .ifNoneMatch, "If-None-Match") else { return false }
        // The weak comparison: it does not matter how strongly the client holds it.
        return tags == ["*"] || tags.contains { $0 == known || $0 == "W/\(known)" }
    }

    private static func tags(
        of request: Request, _ name: FieldName, _ field: String
    ) throws(Problem) -> [Substring]? {
        guard request.headers.contains(name) else { return nil }
        let list = request.headers.values(of: field).joined(separator: ",")
        let tags = list.split(separator: ",").map { $0.withoutBlanks }
        guard !tags.isEmpty, tags == ["*"] || tags.allSatisfy(isTag) else {
            throw Problem(
                .badRequest, "\(field) takes what ETag was in an answer, quotes included, such as \"7\" for a revision",
                type: ProblemType.malformedRequest)
        }
        return tags
    }

    private static func isTag(_ text: Substring) -> Bool {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text
        return opaque.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
            && !opaque.dropFirst().dropLast().contains("\"")
    }

    private static func revision(_ tag: Substring, _ epoch: String?) -> Int? {
        let digits = tag.dropFirst().prefix { $0 != "." && $0 != "\"" }
        guard let revision = Int(digits), text(revision, epoch) == tag else { return nil }
        return revision
    }
}

/// The tag of a revision without an epoch, in place: a string of it costs an answer more than all its other fields.
private struct RevisionTag {
    // From the back; the byte before the first digit is the opening quotation mark already.
    private var bytes = InlineArray<22, UInt8>(repeating: UInt8(ascii: "\""))
    private var start = 21

    init(_ revision: Int) {
        var rest = revision.magnitude
        repeat {
            start -= 1
            bytes[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        start -= 1
    }

    func append(to fields: inout HeaderFields) {
        fields.append(.entityTag, bytes.span.extracting(start..<bytes.count))
    }
}

extension Response {
    /// A session's state, with its revision as the entity tag.
    static func state(_ snapshot: Snapshot) -> Response {
        state(snapshot, .ok, jsonFields)
    }

    /// The state of a session that was just opened, with its location.
    static func created(_ id: SessionID, _ snapshot: Snapshot) -> Response {
        var response = state(snapshot, .created, jsonFields)
        response.headers.append(name: "Location", value: "/sessions/\(id.text)")
        return response
    }

    /// A session's state, as the answer to `GET`.
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
        EntityTag.append(snapshot, to: &headers)
        if snapshot.isReplayed { headers.append(name: "Idempotent-Replayed", value: "true") }
        return Response(status: status, headers: headers, body: snapshot.state)
    }

    private static let jsonFields: HeaderFields = ["Content-Type": "application/json"]
    private static let uncachedFields: HeaderFields = ["Content-Type": "application/json", "Cache-Control": "no-store"]
}

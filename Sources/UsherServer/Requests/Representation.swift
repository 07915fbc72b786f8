import UsherHTTP
import UsherSessions

/// The form of a session's state in responses: JSON, optionally with the profile (RFC 6906) that `Accept` names.
enum Representation {
    /// The whole state.
    case whole
    /// The profile `changes`: screens that the client already has are only ids, and events are only names.
    case changes

    /// Parses the profiles in `Accept` (RFC 9110, section 12.5.1).
    ///
    /// - Throws: `Problem` 406 for an unknown profile, unless the client accepts another form, too.
    init(_ request: borrowing Request) throws(Problem) {
        self = .whole
        guard request.headers.contains(.accept) else { return }
        // Without a parameter there is no profile, and nothing to parse.
        if let field = request.headers.onlyValue(of: .accept), !field.contains(UInt8(ascii: ";")) { return }
        let ranges = request.headers.texts(of: .accept).flatMap { $0.parts(at: ",").map { MediaRange($0) } }
            .filter { $0.isJSON && $0.weight > 0 }
        let known = ranges.filter { $0.profiles.isEmpty || $0.namesChanges }
        guard let weight = known.map(\.weight).max() else {
            guard ranges.isEmpty else { throw Self.unknownProfile }
            return
        }
        if known.contains(where: { $0.namesChanges && $0.weight == weight }) { self = .changes }
    }

    /// Returns the part of a state in this form; nil for the whole state.
    ///
    /// - Parameter isBaseKnown: Whether the client has the state on which the snapshot's changes are based.
    func extent(isBaseKnown: Bool) -> Snapshot.Extent? {
        switch self {
        case .whole: nil
        case .changes: isBaseKnown ? .changes : .all
        }
    }

    /// Returns the part of a state for a client that has the state in the request's `If-None-Match`.
    ///
    /// - Throws: `Problem` 400 unless the value is a list of entity tags.
    func extent(of snapshot: Snapshot, known request: Request) throws(Problem) -> Snapshot.Extent? {
        guard self == .changes else { return nil }
        return extent(isBaseKnown: try EntityTag.isBaseKnown(snapshot, to: request))
    }

    private static var unknownProfile: Problem {
        Problem(
            .notAcceptable,
            "the only profile is \"changes\"; send \"Accept: application/json; profile=changes\", or name no profile",
            headers: ["Vary": "Accept"])
    }
}

/// An element of `Accept`.
private struct MediaRange {
    let isJSON: Bool
    /// The profiles: a list of URIs in one parameter (RFC 6906, section 3.1).
    private(set) var profiles: [Substring] = []
    /// The parameter `q` from 0 to 1; 1 if it is malformed.
    private(set) var weight = 1.0

    var namesChanges: Bool { profiles.contains("changes") }

    init(_ text: Substring) {
        let parts = text.parts(at: ";").map(\.withoutBlanks)
        isJSON = ["application/json", "application/*", "*/*"].contains(parts.first?.lowercased())
        for parameter in parts.dropFirst() {
            let sides = parameter.split(separator: "=", maxSplits: 1).map(\.withoutBlanks)
            guard sides.count == 2 else { continue }
            switch sides[0].lowercased() {
            case "profile": profiles += sides[1].filter { $0 != "\"" }[...].split(separator: " ")
            case "q": weight = Double(sides[1]).flatMap { (0...1).contains($0) ? $0 : nil } ?? 1
            default: break
            }
        }
    }
}

extension StringProtocol {
    /// Splits a text at the separators that are outside of quotation marks.
    func parts(at separator: Character) -> [SubSequence] {
        var isQuoted = false
        return split(omittingEmptySubsequences: false) { character in
            if character == "\"" { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
    }
}

extension Response {
    /// Returns a response with a session's state or a part of the state; the entity tag is the revision.
    static func state(_ snapshot: Snapshot, _ extent: Snapshot.Extent? = nil) -> Response {
        state(snapshot, .ok, jsonFields, extent)
    }

    /// Returns the response to the opening of a session, with its location and token.
    ///
    /// The token is a member of the body, unless `cookie` is the header field that sets the token's cookie.
    static func created(
        _ opening: Opening, setting cookie: String? = nil, _ extent: Snapshot.Extent? = nil
    ) -> Response {
        var response = state(opening.snapshot, .created, jsonFields, extent)
        response.headers.append(name: "Cache-Control", value: "no-store")
        response.headers.append(name: "Location", value: "/sessions/\(opening.session.id.text)")
        guard let token = opening.token else { return response }
        if let cookie {
            response.headers.append(name: "Set-Cookie", value: cookie)
        } else {
            // The token is added only here, because the stored response must not contain the token.
            response.body.removeLast()
            response.body += #","token":"\#(token.text)"}"#.utf8
        }
        return response
    }

    /// Returns a session's state as the response to `GET`.
    ///
    /// Caches must not store the state, because it belongs to one user. The responses to other methods need no such
    /// field, because caches do not store them (RFC 9111, section 3).
    static func current(_ snapshot: Snapshot, _ extent: Snapshot.Extent? = nil) -> Response {
        state(snapshot, .ok, uncachedFields, extent)
    }

    /// Returns the response to a client that already has the newest state.
    ///
    /// The body of this 304 is not sent; only its length is used (RFC 9110, section 8.6).
    static func notModified(_ snapshot: Snapshot, _ extent: Snapshot.Extent? = nil) -> Response {
        state(snapshot, .notModified, uncachedFields, extent)
    }

    private static func state(
        _ snapshot: Snapshot, _ status: Status, _ fields: HeaderFields, _ extent: Snapshot.Extent?
    ) -> Response {
        if let extent { return reduced(snapshot.reduced(to: extent), status, fields) }
        let tag = EntityTag.number(snapshot)
        var headers = fields
        if tag == nil { EntityTag.append(snapshot, to: &headers) }
        if snapshot.isReplayed { headers.append(name: "Idempotent-Replayed", value: "true") }
        return Response(status: status, headers: headers, entityTag: tag, body: snapshot.state)
    }

    private static func reduced(_ snapshot: Snapshot, _ status: Status, _ fields: HeaderFields) -> Response {
        var headers = fields
        headers.set(name: "Content-Type", value: "application/json; profile=changes")
        headers.set(name: "Vary", value: "Accept")
        EntityTag.appendWeak(snapshot, to: &headers)
        if snapshot.isReplayed { headers.append(name: "Idempotent-Replayed", value: "true") }
        return Response(status: status, headers: headers, body: snapshot.state)
    }

    private static let jsonFields: HeaderFields = ["Content-Type": "application/json"]
    private static let uncachedFields: HeaderFields = [
        "Content-Type": "application/json", "Cache-Control": "no-store", "Vary": "Accept",
    ]
}

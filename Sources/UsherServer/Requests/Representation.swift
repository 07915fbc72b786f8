import UsherHTTP
import UsherSessions

/// The form in which a client takes a session's state: JSON, in a profile (RFC 6906) that `Accept` names, or in none.
enum Representation {
    /// The whole state.
    case whole
    /// The profile `changes`: screens that the client has are ids alone, and events are names.
    case changes

    /// Reads `Accept` (RFC 9110, section 12.5.1), of which profiles alone are heard.
    ///
    /// - Throws: `Problem` 406 for a profile that there is not, unless the client takes another form, too.
    init(_ request: borrowing Request) throws(Problem) {
        self = .whole
        guard request.headers.contains(.accept) else { return }
        // Without a parameter there is no profile, and nothing to be parsed.
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

    /// The part of a state that an answer in this form has; nil for the whole of it.
    ///
    /// - Parameter isBaseKnown: Set where the client has the state that the snapshot's changes begin at.
    func extent(isBaseKnown: Bool) -> Snapshot.Extent? {
        switch self {
        case .whole: nil
        case .changes: isBaseKnown ? .changes : .all
        }
    }

    /// The part of a state that an answer in this form has, for a client that names in `If-None-Match` what it knows.
    ///
    /// - Throws: `Problem` 400 for what is no list of entity tags.
    func extent(of snapshot: Snapshot, known request: Request) throws(Problem) -> Snapshot.Extent? {
        guard self == .changes else { return nil }
        return extent(isBaseKnown: try EntityTag.isBaseKnown(snapshot, to: request))
    }

    private static var unknownProfile: Problem {
        Problem(
            .notAcceptable,
            "the only profile is \"changes\"; send Accept: application/json; profile=changes, or name no profile",
            headers: ["Vary": "Accept"])
    }
}

/// One element of `Accept`.
private struct MediaRange {
    /// True of a range that JSON is in.
    let isJSON: Bool
    /// The profiles that it names: a list of URIs in one parameter (RFC 6906, section 3.1).
    private(set) var profiles: [Substring] = []
    /// Its `q`, from 0 to 1; one that cannot be read counts as 1.
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
    /// The parts between the separators that stand in no quotation marks.
    func parts(at separator: Character) -> [SubSequence] {
        var isQuoted = false
        return split(omittingEmptySubsequences: false) { character in
            if character == "\"" { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
    }
}

extension Response {
    /// A session's state, with its revision as the entity tag.
    ///
    /// Here as below, the part of it that is told may be named: the whole of it where that is nil.
    static func state(_ snapshot: Snapshot, _ extent: Snapshot.Extent? = nil) -> Response {
        state(snapshot, .ok, jsonFields, extent)
    }

    /// The state of a session that was just opened, with its location and its token.
    ///
    /// - Parameters:
    ///   - opening: The session.
    ///   - cookie: The field of a cookie that has the token; it is a member of the body where nil.
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
            // Behind the last member of the object: a kept answer does not hold it.
            response.body.removeLast()
            response.body += #","token":"\#(token.text)"}"#.utf8
        }
        return response
    }

    /// A session's state, as the answer to `GET`.
    ///
    /// No cache may keep what belongs to one user. The answers to other methods none keeps (RFC 9111, section 3), so these
    /// need not say so.
    static func current(_ snapshot: Snapshot, _ extent: Snapshot.Extent? = nil) -> Response {
        state(snapshot, .ok, uncachedFields, extent)
    }

    /// The client has the newest state already.
    ///
    /// The state is there for its length alone (RFC 9110, section 8.6): a 304 has no body on the wire.
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

    /// A state in the profile `changes`.
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

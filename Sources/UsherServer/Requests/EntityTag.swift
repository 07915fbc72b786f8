import UsherHTTP
import UsherSessions

/// An entity tag, which is a session's revision above all, and the conditions that clients make of it (RFC 9110,
/// sections 8.8.3, 13.1).
enum EntityTag {
    /// The tag of a snapshot: its revision, with the journal's epoch where a crash can take revisions back.
    static func text(_ snapshot: Snapshot) -> String {
        text(snapshot.revision, snapshot.epoch)
    }

    /// The tag of a snapshot where it is a number; nil where the epoch is part of it.
    static func number(_ snapshot: Snapshot) -> UInt64? {
        snapshot.epoch == nil ? UInt64(snapshot.revision.magnitude) : nil
    }

    /// Adds the tag of a snapshot to its answer's fields.
    static func append(_ snapshot: Snapshot, to fields: inout HeaderFields) {
        fields.append(.entityTag, text(snapshot).utf8.span)
    }

    /// Adds the tag of a snapshot to the fields of an answer in a profile: a weak one, for the whole state has other bytes.
    static func appendWeak(_ snapshot: Snapshot, to fields: inout HeaderFields) {
        fields.append(name: "ETag", value: "W/" + text(snapshot))
    }

    private static func text(_ revision: Int, _ epoch: String?) -> String {
        "\"" + String(revision) + (epoch.map { "." + $0 } ?? "") + "\""
    }

    /// Reads `If-Match`.
    ///
    /// `*` asks only that the session exists. A weak tag, or one that is no revision, never matches.
    ///
    /// - Throws: `Problem` 400 for anything but `*` or a list of entity tags.
    static func precondition(_ request: Request, epoch: @autoclosure () -> String?) throws(Problem) -> Precondition {
        guard let tags = try tags(of: request, .ifMatch, "If-Match") else { return .none }
        if tags == ["*"] { return .none }
        let epoch = epoch()
        let revisions = tags.compactMap { revision($0, epoch) }
        if !revisions.isEmpty { return .revision(oneOf: revisions, epoch: epoch) }
        // Of another epoch, which may be a session's own.
        let other = tags.first.flatMap { Self.epoch(of: $0) }
        return .revision(oneOf: tags.compactMap { revision($0, other) }, epoch: other)
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

    /// Reads `If-None-Match`: true where the client has the state that a snapshot's changes begin at.
    ///
    /// `*` names none.
    ///
    /// - Throws: `Problem` 400 for anything but `*` or a list of entity tags.
    static func isBaseKnown(_ snapshot: Snapshot, to request: Request) throws(Problem) -> Bool {
        let base = text(snapshot.baseRevision, snapshot.epoch)
        let tags = try tags(of: request, .ifNoneMatch, "If-None-Match") ?? []
        return tags.contains { $0 == base || $0 == "W/\(base)" }
    }

    private static func tags(
        of request: Request, _ name: FieldName, _ field: String
    ) throws(Problem) -> [Substring]? {
        guard request.headers.contains(name) else { return nil }
        let list = request.headers.texts(of: name).joined(separator: ",")
        let tags = list.parts(at: ",").map { $0.withoutBlanks }.filter { !$0.isEmpty }
        guard !tags.isEmpty, tags == ["*"] || tags.allSatisfy(isTag) else {
            throw Problem(
                .malformedRequest,
                "\(field) takes what ETag was in an answer, quotes included, such as \"7\" for a revision")
        }
        return tags
    }

    private static func isTag(_ text: Substring) -> Bool {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text
        return opaque.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
            && !opaque.dropFirst().dropLast().contains("\"")
    }

    private static func epoch(of tag: Substring) -> String? {
        tag.firstIndex(of: ".").map { String(tag[tag.index(after: $0)...].dropLast()) }
    }

    private static func revision(_ tag: Substring, _ epoch: String?) -> Int? {
        let digits = tag.dropFirst().prefix { $0 != "." && $0 != "\"" }
        guard let revision = Int(digits), text(revision, epoch) == tag else { return nil }
        return revision
    }
}

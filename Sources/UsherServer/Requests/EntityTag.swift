import UsherHTTP
import UsherSessions

/// Entity tags, mostly of a session's revision, and the preconditions with them (RFC 9110, sections 8.8.3, 13.1).
enum EntityTag {
    /// Returns a snapshot's tag: its revision, and also the journal's epoch if a crash can lose revisions.
    static func text(_ snapshot: Snapshot) -> String {
        text(snapshot.revision, snapshot.epoch)
    }

    /// Returns a snapshot's tag if the tag is only a number; nil if the tag includes an epoch.
    static func number(_ snapshot: Snapshot) -> UInt64? {
        snapshot.epoch == nil ? UInt64(snapshot.revision.magnitude) : nil
    }

    static func append(_ snapshot: Snapshot, to fields: inout HeaderFields) {
        fields.append(.entityTag, text(snapshot).utf8.span)
    }

    /// Appends a weak tag, for a response in a profile: the response has the same state as the whole form, but other
    /// bytes.
    static func appendWeak(_ snapshot: Snapshot, to fields: inout HeaderFields) {
        fields.append(name: "ETag", value: "W/" + text(snapshot))
    }

    private static func text(_ revision: Int, _ epoch: String?) -> String {
        "\"" + String(revision) + (epoch.map { "." + $0 } ?? "") + "\""
    }

    /// Parses `If-Match`.
    ///
    /// `*` requires only that the session exists. A weak tag, or a tag that is not a revision, never matches.
    ///
    /// - Throws: `Problem` 400 unless the value is `*` or a list of entity tags.
    static func precondition(_ request: Request, epoch: @autoclosure () -> String?) throws(Problem) -> Precondition {
        guard let tags = try tags(of: request, .ifMatch, "If-Match") else { return .none }
        if tags == ["*"] { return .none }
        let epoch = epoch()
        let revisions = tags.compactMap { revision($0, epoch) }
        if !revisions.isEmpty { return .revision(oneOf: revisions, epoch: epoch) }
        // The tags have an epoch that is not the server's current epoch, but may be the session's own.
        let other = tags.first.flatMap { Self.epoch(of: $0) }
        return .revision(oneOf: tags.compactMap { revision($0, other) }, epoch: other)
    }

    /// Returns `true` if `If-None-Match` has a snapshot's tag; throws as the other `isKnown(_:to:)` does.
    static func isKnown(_ snapshot: Snapshot, to request: Request) throws(Problem) -> Bool {
        try isKnown(text(snapshot), to: request)
    }

    /// Returns `true` if `If-None-Match` has a tag.
    ///
    /// - Throws: `Problem` 400 unless the value is `*` or a list of entity tags.
    static func isKnown(_ known: String, to request: Request) throws(Problem) -> Bool {
        guard let tags = try tags(of: request, .ifNoneMatch, "If-None-Match") else { return false }
        // A weak comparison ignores the `W/`.
        return tags == ["*"] || tags.contains { $0 == known || $0 == "W/\(known)" }
    }

    /// Returns `true` if `If-None-Match` has the tag of the state on which a snapshot's changes are based.
    ///
    /// `*` never matches, because it names no state. Throws as `isKnown(_:to:)` does.
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
                "\(field) takes the ETag of an answer, with its quotes, such as \"7\" for a revision")
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

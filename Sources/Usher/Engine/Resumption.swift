package import UsherJSON

/// A report that a session resumed at an earlier revision, because a build could not replay all inputs.
///
/// The report is the payload of an entry in the journal. The states for the client also contain the report, up to and
/// including the answer to the client's next input.
package struct Resumption: Equatable, Sendable {
    /// The last revision on which this build agreed with earlier builds; 0 if not even the creation agreed.
    package let revision: Int
    /// The first difference.
    package let reason: String
    /// The inputs, results and work that the session has lost.
    package let dropped: Dropped
    /// The reason why the root coordinator's `didResume(dropped:)` is not called; nil if it is called.
    package let refusal: String?

    package init(after revision: Int, reason: String, dropped: Dropped, refusal: String? = nil) {
        self.revision = revision
        self.reason = reason
        self.dropped = dropped
        self.refusal = refusal
    }

    /// Decodes the payload of an entry; throws if the payload has another shape.
    package init(_ payload: JSONValue) throws(JSONError) {
        guard let revision = payload[member: "resumed"]?.integer, let reason = payload[member: "reason"]?.string,
            let dropped = payload[member: "dropped"]
        else { throw payload.error("expected the members \"resumed\", \"reason\" and \"dropped\"") }
        self.init(
            after: revision, reason: reason, dropped: try Dropped(dropped),
            refusal: payload[member: "refusal"]?.string)
    }

    /// The payload of the resumption's entry.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("resumed", revision)
            writer.member("reason", reason)
            dropped.write(into: &writer)
            if let refusal { writer.member("refusal", refusal) }
        }
    }

    fileprivate func write(into writer: inout JSONWriter) {
        writer.object("resumed") { writer in
            writer.member("revision", revision)
            writer.member("reason", reason)
            dropped.write(into: &writer)
        }
    }
}

extension Dropped {
    fileprivate init(_ json: JSONValue) throws(JSONError) {
        self.init()
        guard let inputs = json[member: "inputs"]?.integer, let messages = json[member: "messages"]?.integer,
            let results = json[member: "results"]?.texts, let effects = json[member: "effects"]?.texts,
            let timers = json[member: "timers"]?.texts, Self.possible.contains(inputs), Self.possible.contains(messages)
        else {
            throw json.error("expected the members \"inputs\", \"messages\", \"results\", \"effects\" and \"timers\"")
        }
        (self.inputs, self.messages, self.results, self.effects, self.timers) =
            (inputs, messages, results, effects, timers)
    }

    /// The valid range of numbers of lost inputs.
    private static let possible = 0...1_000_000_000

    fileprivate func write(into writer: inout JSONWriter) {
        writer.object("dropped") { writer in
            writer.member("inputs", inputs)
            writer.member("messages", messages)
            writer.member("results", results)
            writer.member("effects", effects)
            writer.member("timers", timers)
        }
    }
}

extension JSONValue {
    /// The elements of an array of texts; nil for another value.
    fileprivate var texts: [String]? {
        let (all, texts) = (elements.map(\.self), elements.compactMap(\.string))
        return kind == .array && texts.count == all.count ? texts : nil
    }
}

/// The resumption that the states for a tree's client still contain.
///
/// Even the answer to the client's next input contains the resumption, because the client may have read no state
/// before. The type is a class, to save memory, because almost no tree has a notice.
final class ResumptionNotice {
    /// A resumption, and the revision after which the client's inputs are counted.
    struct Content: Equatable, Sendable {
        fileprivate let resumption: Resumption
        /// The revision of the resumption, plus one for each later input that did not come from a client.
        fileprivate(set) var ownRevision: Int
    }

    private var content: Content

    init(_ content: Content) {
        self.content = content
    }

    /// Appends the member `resumed` of a state, unless the client has sent at least two inputs since the resumption.
    func write(at revision: Int, into writer: inout JSONWriter) {
        if isTold(at: revision) { content.resumption.write(into: &writer) }
    }

    /// Returns the content for a new history; nil if the client has sent at least two inputs since the resumption.
    func content(at revision: Int) -> Content? { isTold(at: revision) ? content : nil }

    /// Counts an input that did not come from a client.
    fileprivate func follow(from revision: Int) {
        if isTold(at: revision) { content.ownRevision += 1 }
    }

    private func isTold(at revision: Int) -> Bool { revision - content.ownRevision <= 1 }
}

extension ResumptionNotice.Content {
    /// Decodes the output of `write(into:)`; throws if the JSON has another shape.
    init(_ json: JSONValue) throws(JSONError) {
        guard let revision = json[member: "since"]?.integer, let resumption = json[member: "resumption"] else {
            throw json.error("expected the members \"since\" and \"resumption\"")
        }
        self.init(resumption: try Resumption(resumption), ownRevision: revision)
    }

    func write(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("since", ownRevision)
            writer.member("resumption", raw: resumption.json)
        }
    }
}

extension Tree {
    /// Resumes the session with this tree at a later revision, because this build cannot replay the inputs in between.
    ///
    /// The tree handles the call of the root coordinator like an input, and a replay repeats the call.
    ///
    /// - Parameters:
    ///   - revision: The revision of the resumption; revisions never decrease.
    ///   - identifiers: Ids that no new screen or coordinator may get.
    ///   - resumption: The resumption, for the client and the root coordinator.
    ///   - time: The time of the resumption.
    ///   - isRecorded: Pass true if a server has already accepted the resumption, as in `handle`.
    /// - Throws: `Rejection` if the root coordinator refuses. The tree is then broken.
    package func resume(
        at revision: Int, identifiers: NextIdentifiers, as resumption: Resumption, time: Timestamp,
        isRecorded: Bool = false
    ) throws(Rejection) {
        // If the session begins anew, the client has none of the screens that are on display now.
        let isAnew = resumption.revision == 0
        let oldest = isAnew ? 1 : self.identifiers.screen
        let leaving = oldest..<max(oldest, identifiers.screen)
        let former = isAnew ? [] : window.displayedScreens.map(\.id)
        advance(to: identifiers)
        if let refusal = resumption.refusal {
            skip(to: revision)
            warnings.add("didResume(dropped:) was refused: \(refusal)")
        } else if let root = hierarchy.root {
            skip(to: revision - 1)
            try tell(root, of: resumption.dropped, at: time, isRecorded: isRecorded)
        } else {
            skip(to: revision)
        }
        window.forgetChanges(for: ChangeLog(leaving: leaving, from: former, for: window))
        notice = ResumptionNotice(.init(resumption: resumption, ownRevision: self.revision))
    }

    /// Counts an accepted input that did not come from the client, so that the next states contain the resumption.
    func keepNotice(if counts: Bool) -> Bool {
        if counts { notice?.follow(from: revision) }
        return counts
    }
}

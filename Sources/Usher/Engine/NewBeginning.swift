package import UsherJSON

/// A new history of a session, which begins when the root coordinator has started over.
///
/// The type is a class, to save memory, because almost no tree begins a new history.
package final class NewBeginning {
    /// The app.
    package let app: any App.Type
    /// The options of the new root, as JSON.
    package let options: [UInt8]
    /// The revision of the input in which the root started over, which is the first revision of the new history.
    package let revision: Int
    /// The state that remains of the previous history, without the leaks.
    fileprivate var origin = TreeOrigin()
    /// The steps of the waiting link, which the new history begins with.
    package fileprivate(set) var link: [JSONValue] = []
    /// A Boolean value indicating whether the link continues to wait.
    package fileprivate(set) var isLinkKept = false
    /// A Boolean value indicating whether the input in which the root started over may contain secrets.
    package fileprivate(set) var mayFollowSecrets = false

    fileprivate init(of app: any App.Type, with options: [UInt8], at revision: Int) {
        (self.app, self.options, self.revision) = (app, options, revision)
    }

    /// Returns the state that remains of the previous history, on a tree that has just begun the new history.
    package func origin(on tree: Tree) -> TreeOrigin {
        var origin = origin
        origin.leaks = tree.leaks
        origin.coordinators.leaked = tree.coordinatorCounts.leaked
        return origin
    }
}

/// The point at which a history of a session begins, with the state that remains of the previous history.
package struct TreeOrigin: Equatable, Sendable {
    /// The first revision: 1, unless the root coordinator has started over.
    package var revision = 1
    /// The next free ids.
    package var identifiers = NextIdentifiers()
    /// The counts of the earlier coordinators, all of which have ended; the leaks include leaks of the first revision.
    package var coordinators = CoordinatorCounts()
    /// The leaks so far.
    package var leaks: [Leak] = []
    /// The ids of the screens that were on display when the previous history ended, bottom to top.
    package var displayed: [Int] = []
    /// The warnings of the input that ended the previous history.
    package var warnings: [String] = []
    /// The resumption that the states for the client still contain; nil if there is none.
    var notice: ResumptionNotice.Content?

    /// Creates the origin of a new session.
    package init() {}
}

extension TreeOrigin {
    /// Decodes the origin of a history from the history's first entry.
    ///
    /// - Parameters:
    ///   - json: The member `startedOver` of the entry's payload.
    ///   - revision: The revision of the entry.
    ///   - identifiers: The free ids before the entry.
    /// - Throws: `JSONError` for another shape.
    package init(_ json: JSONValue, at revision: Int, from identifiers: NextIdentifiers) throws(JSONError) {
        guard let ended = json[member: "ended"]?.integer, let leaked = json[member: "leaked"]?.integer,
            Self.possible.contains(ended), Self.possible.contains(leaked), Self.possible.contains(revision)
        else { throw json.error("expected the members \"ended\" and \"leaked\", which are numbers of coordinators") }
        (self.revision, self.identifiers) = (revision, identifiers)
        coordinators = CoordinatorCounts(created: ended, finished: ended, leaked: leaked)
        displayed = json[member: "displayed"]?.elements.compactMap(\.integer) ?? []
        warnings = json[member: "warnings"]?.elements.compactMap(\.string) ?? []
        if let notice = json[member: "notice"] {
            let content = try ResumptionNotice.Content(notice)
            guard Self.possible.contains(content.ownRevision) else { throw notice.error("expected a revision") }
            self.notice = content
        }
        for leak in json[member: "leaks"]?.elements.map(\.self) ?? [] {
            guard let type = leak[member: "type"]?.string, let path = leak[member: "coordinator"]?.string,
                let revision = leak[member: "revision"]?.integer, let input = leak[member: "input"]?.string,
                Self.possible.contains(revision)
            else { throw leak.error("expected the members \"type\", \"coordinator\", \"revision\" and \"input\"") }
            leaks.append(Leak(type: type, coordinator: path, revision: revision, input: input))
        }
    }

    /// The valid range of counts and revisions.
    private static let possible = 0...1_000_000_000

    /// Appends the state that remains of the previous history, as one object.
    package func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("ended", coordinators.finished)
        writer.member("leaked", coordinators.leaked)
        writer.member("displayed", displayed)
        if !leaks.isEmpty { leaks.write(into: &writer) }
        if !warnings.isEmpty { writer.member("warnings", warnings) }
        if let notice {
            writer.key("notice")
            notice.write(into: &writer)
        }
        writer.endObject()
    }
}

extension Tree {
    /// The new history that the last input has begun; nil if the last input has begun none.
    package var newBeginning: NewBeginning? {
        guard let beginning, beginning.revision == revision else { return nil }
        return beginning
    }

    /// Ends the history, so that a new history begins at the end of the input.
    ///
    /// - Throws: `Refusal` while an effect is running; `Rejection` if the call is a mistake.
    func endHistory(at node: Node, beginningWith options: some Codable & Sendable) throws {
        let caller = type(of: node.coordinator)
        guard node.parent == nil else {
            throw Rejection(
                .failed,
                "\(caller): only the root coordinator can start over; finish this coordinator, and let the root start over"
            )
        }
        guard let app, app.takes(options) else {
            let rule = app.map { "takes \($0).Options, not \(type(of: options))" } ?? "needs a session of an App"
            throw Rejection(.failed, "\(caller): startOver(with:) \(rule)")
        }
        guard revision > 0, beginning?.revision ?? 0 <= revision else {
            throw Rejection(
                .failed, "\(caller): startOver(with:) must not be called in the input that starts the root coordinator")
        }
        // Ignore deferred work, because it is not running: it is dropped with its coordinator and never begins.
        if let effect = pendingWork.items.first(where: { !$0.isTimer && !$0.isDeferred }) {
            throw Refusal(
                "\(caller): startOver(with:) must wait for the result of \(effect.description)")
        }
        var writer = JSONWriter()
        try writer.encodeRevealingSecrets(options)
        let beginning = NewBeginning(of: app, with: writer.bytes, at: revision + 1)
        beginning.origin.displayed = displayedBefore
        self.beginning = beginning
        hierarchy.dismantleRoot(in: self)
    }

    /// The ids of the screens that were on display before the input, bottom to top, as far as the tree has recorded them.
    ///
    /// Only a session's tree records the displayed screens. For other trees, the list does not contain screens that
    /// left in this input.
    private var displayedBefore: [Int] {
        guard notedScreens.isEmpty else { return notedScreens }
        return window.displayedScreens.map(\.id).filter { $0 < transaction.firstNewScreen }
    }

    /// Begins the new history, after the root's handler has returned.
    func begin(_ beginning: NewBeginning) {
        guard !isBroken else { return }
        hierarchy.forgetRoot()
        pendingWork.forgetCancelled()
        beginning.mayFollowSecrets = secrets.beginAnew(revision: beginning.revision)
        resetTransaction(at: beginning.revision)
        historyStart = beginning.revision
        beginning.origin.notice = notice?.content(at: beginning.revision)
        notice = beginning.origin.notice.map { ResumptionNotice($0) }
        (notedScreens, notedTab) = ([], nil)
        knownChanges = .of(beginning.app, opening: nil)
        let first = link.beginAnew(in: self)
        beginning.link = first?.steps ?? []
        beginning.isLinkKept = first != nil && link.isKept
        beginning.origin.revision = beginning.revision
        beginning.origin.identifiers = identifiers
        beginning.origin.coordinators = coordinatorCounts
        beginning.origin.warnings = warnings.messages
        do { hierarchy.begin(try beginning.app.root(decoding: beginning.options, secrets)) } catch {
            return fail(error)
        }
        startRoot(with: first, after: beginning.origin) { try self.link.reopen($0, in: self) }
        secrets.handling {
            hierarchy.settle(in: self)
            if !isBroken { encodeScreens() }
        }
        replaceDisplay(of: beginning.origin)
    }

    func startRoot(with first: Link?, after origin: TreeOrigin, opening open: (Link) throws -> Void) {
        run {
            for warning in origin.warnings { warnings.add(warning) }
            hierarchy.startRoot(in: self)
            if let first { try open(first) }
        }
    }

    /// Makes clients that have a state of the previous history replace all screens.
    func replaceDisplay(of origin: TreeOrigin) {
        window.forgetChanges(for: ChangeLog(leaving: 0..<0, from: origin.displayed, for: window))
    }
}

extension App {
    fileprivate static func takes(_ options: any Sendable) -> Bool { options is Options }
}

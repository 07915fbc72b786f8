import UsherJSON

/// A deep link: flows from the root down, each in Swift's coding of an enum case.
struct Link {
    let steps: [JSONValue]
    /// Those of the input that brought it, which the steps hold.
    let secrets: InputSecrets
}

/// The handling of a link by an input: of the one that waits, or the one that it brings.
///
/// A link is all or nothing, like an input. One that gets only half-way breaks the tree; the input is then handled again
/// on a tree as it was before, and told what to do with the link instead. The journal has it, for replay. Only a host that
/// is not ready may show something, once: a login, say, that the link then waits for.
package enum LinkHandling: Equatable, Sendable {
    /// Follows it.
    case follow
    /// Leaves it waiting: a host on its way is not ready.
    case keep
    /// Drops it, with a warning that says why; without one, and an empty reason, if the user has closed what the link
    /// waited for.
    case drop(String)
}

/// A tree's deep link: the one that waits for a host that is not ready, and how far an input has got with it.
///
/// Its state is accessed without checks for exclusivity: no author's code runs in the midst of a change.
final class LinkFollower {
    /// The part of the state that belongs to one input alone.
    private struct Progress {
        let handling: LinkHandling
        /// Set where the link came with this input: it is offered from the next on.
        var isNew = false
        /// Set once the link that waited is followed: what fails from then on is the link's fault.
        var wasOffered = false
        /// Set once the link that is being followed has left its first host, which may have changed what nobody sees.
        var isOnWay = false
        /// Set once the host that is being asked has done anything.
        var hasHostActed = false
    }

    /// The part of the state that only a session has to which a link has come.
    private final class Journey {
        @safe @exclusivity(unchecked) var pending: Link?
        @safe @exclusivity(unchecked) var first: Link?
        @safe @exclusivity(unchecked) var end: (any FlowHost.Type)?
        /// The ids that were free before a host showed what the pending link waits for, and after it; nil if none has.
        @safe @exclusivity(unchecked) var request: (from: NextIdentifiers, to: NextIdentifiers)?
        /// The modals that were there when the link that is being followed began; held, so that no new one takes the place
        /// in memory of one that has gone.
        @safe @exclusivity(unchecked) var modalsBefore = SmallArray<Navigation>()
    }

    @safe @exclusivity(unchecked) private var progress = Progress(handling: .follow)
    @safe @exclusivity(unchecked) private var journey: Journey?

    /// A link whose host was not ready.
    var pending: Link? { journey?.pending }

    /// The link that the session begins with, while its root is started.
    var first: Link? { journey?.first }

    /// The host at which the last link that was followed has ended, if a longer one could go on there.
    var end: (any FlowHost.Type)? { journey?.end }

    /// Set once the link that waited is followed in this input: what fails from then on is the link's fault.
    var wasOffered: Bool { progress.wasOffered }

    /// The steps of a link that came with this input and has to wait.
    var stepsToWaitFor: [JSONValue] { progress.isNew ? pending?.steps ?? [] : [] }

    /// Begins an input.
    func begin(_ handling: LinkHandling) {
        progress = Progress(handling: handling)
    }

    /// Notes the link that a session begins with, before its root is started; none where it is not to be followed.
    func beginSession(with link: Link?) {
        if let link, progress.handling == .follow { ownJourney().first = link }
    }

    /// Notes that a coordinator does something.
    func noteAction() {
        progress.hasHostActed = true
    }

    /// Opens a link as an input of its own: a host that is not ready keeps it for later.
    func open(_ link: Link, in tree: Tree) throws {
        let journey = ownJourney()
        journey.first = nil
        journey.pending = link
        journey.request = nil
        progress.isNew = true
        if progress.handling == .follow { try follow(link, in: tree) }
    }

    /// Takes the link that waits, because another root takes the place of the one before.
    ///
    /// - Returns: The link that the session is as good as opened with; nil if there is none.
    func beginAnew(in tree: Tree) -> Link? {
        defer { progress = Progress(handling: progress.handling) }
        guard let waiting = pending else { return nil }
        journey = nil
        if case .drop(let reason) = progress.handling {
            warn(ofDropping: reason, in: tree)
            return nil
        }
        let link = Link(steps: waiting.steps, secrets: tree.secrets.expect())
        beginSession(with: link)
        return link
    }

    /// A Boolean value indicating whether the input leaves its link waiting.
    var isKept: Bool { progress.handling == .keep }

    /// Opens a link that waited, as one that the session begins with.
    ///
    /// If that fails in any way, the input is tried again without it.
    func reopen(_ link: Link, in tree: Tree) throws {
        guard !tree.isBroken else { return }
        progress.wasOffered = true
        try open(link, in: tree)
    }

    /// Offers the link that waits, at the end of a later input.
    ///
    /// If that fails in any way, the input is tried again without it.
    func offerPending(in tree: Tree) {
        guard let link = pending, !progress.isNew, !tree.isBroken, tree.hierarchy.root?.node != nil else { return }
        switch progress.handling {
        case .keep: return
        case .drop(let reason):
            journey?.pending = nil
            warn(ofDropping: reason, in: tree)
        case .follow:
            progress.wasOffered = true
            do { try follow(link, in: tree) } catch { tree.fail(error) }
        }
    }

    private func warn(ofDropping reason: String, in tree: Tree) {
        if !reason.isEmpty { tree.warnings.add("the link that waited was dropped: \(reason)") }
    }

    /// Closes what lies over a coordinator that a link leads to, as soon as it is about to do something.
    func clearWay(for node: Node) {
        noteAction()
        guard let modalsBefore = journey?.modalsBefore, !modalsBefore.isEmpty else { return }
        let window = node.tree.window
        let first = window.firstModal(over: window.navigation(of: node))
        let inTheWay = window.modals[first...].firstIndex { modal in modalsBefore.contains { $0 === modal } }
        if let inTheWay { window.dismiss(from: inTheWay, in: node.tree) }
    }

    /// Leaves to the coordinators what lies over them: they know better what a link closes.
    func leaveModals() {
        journey?.modalsBefore = []
    }

    /// The journey, which begins where there is none.
    private func ownJourney() -> Journey {
        let present = journey ?? Journey()
        journey = present
        return present
    }

    /// Follows a link; one that comes too early goes on waiting.
    private func follow(_ link: Link, in tree: Tree) throws {
        let identifiers = tree.identifiers
        do {
            try walk(link, in: tree)
            journey?.pending = nil
        } catch is Later {
            if progress.hasHostActed {
                wait(forWhatCameAfter: identifiers, in: tree)
            } else if progress.isOnWay {
                tree.transaction.retry(with: .keep)
            }
        }
    }

    /// Has a link wait for what a host that was not ready has done.
    ///
    /// It stays the first time. Later it would be there twice, or again although the user has closed it: then it is undone,
    /// and in the latter case the link is dropped.
    private func wait(forWhatCameAfter identifiers: NextIdentifiers, in tree: Tree) {
        let journey = ownJourney()
        guard let request = journey.request else { return journey.request = (from: identifiers, to: tree.identifiers) }
        let screens = request.from.screen..<request.to.screen
        let coordinators = request.from.coordinator..<request.to.coordinator
        let isOver =
            !(screens.isEmpty && coordinators.isEmpty)
            && !tree.window.screens.contains { screens.contains($0.id) }
            && !tree.hierarchy.nodes.contains { coordinators.contains($0.id) }
        tree.transaction.retry(with: isOver ? .drop("") : .keep)
    }

    private func walk(_ link: Link, in tree: Tree) throws {
        progress.isOnWay = false
        let journey = ownJourney()
        journey.modalsBefore = tree.window.modals
        defer { journey.modalsBefore = [] }
        journey.end = nil
        var host = tree.hierarchy.root as? any FlowHost
        var passed = SmallArray<ObjectIdentifier>()
        for (index, step) in link.steps.enumerated() {
            guard let current = host else { throw Rejection(.invalid, Self.deadEnd(index, step)) }
            progress.isOnWay = index > 0
            progress.hasHostActed = false
            let source = SecretSource(
                part: .step(index), range: step.range, input: link.secrets, translation: nil)
            passed.append(ObjectIdentifier(type(of: current)))
            host = try current.open(step: step, from: source, tree.secrets)
            if let host { warnOfUnstarted(host, givenBy: current, in: tree) }
        }
        if let host, !passed.contains(ObjectIdentifier(type(of: host))) { journey.end = type(of: host) }
        if let node = host?.node { clearWay(for: node) }
    }

    /// A host that is in no tree can neither show anything nor warn of it.
    private func warnOfUnstarted(_ host: any FlowHost, givenBy giver: any FlowHost, in tree: Tree) {
        guard host.isNew else { return }
        tree.warnings.add("\(type(of: giver)): open gave \(type(of: host)) without starting it; it shows nothing")
    }

    private static func deadEnd(_ index: Int, _ step: JSONValue) -> String {
        index == 0
            ? "this app takes no links"
            : "the link ends before this step: there is nothing to open it, at \(step.place)"
    }
}

extension FlowHost {
    /// Takes a flow if it is this host's own.
    func take(_ flow: any Codable & Sendable) throws -> Bool {
        guard let flow = flow as? Flow else { return false }
        _ = try open(flow)
        return true
    }

    /// The flows by name, made at the first use.
    static var flowTable: CaseTable<Flow> {
        Descriptions.shared.value(of: Self.self) { CaseTable(examples) }
    }

    /// Takes a step of a link.
    func open(
        step: JSONValue, from source: SecretSource, _ secrets: SecretLedger
    ) throws -> (any FlowHost)? {
        try open(decode(step, from: source, secrets))
    }

    /// The flow that the session begins with, for a root that looks at it in its `start()`; it is opened afterwards.
    package func firstFlow() throws -> Flow? {
        guard let tree = node?.tree, let link = tree.link.first, let step = link.steps.first else { return nil }
        let source = SecretSource(part: .step(0), range: step.range, input: link.secrets, translation: nil)
        return try decode(step, from: source, tree.secrets)
    }

    private func decode(
        _ step: JSONValue, from source: SecretSource, _ secrets: SecretLedger
    ) throws(Rejection) -> Flow {
        try Self.decode(step, from: source, secrets)
    }

    /// Decodes a step of a link, whose flow may have a former name.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - source: What of an input it is.
    ///   - secrets: The account of the secrets in it.
    /// - Throws: A rejection that lists the flows, or names the place in the payload.
    static func decode(
        _ step: JSONValue, from source: SecretSource, _ secrets: SecretLedger
    ) throws(Rejection) -> Flow {
        let (step, source) = renamed(step, from: source) ?? (step, source)
        return try flowTable.decode(step, as: "flow", of: "the coordinator \"\(name)\"", from: source, secrets)
    }

    /// The present name of a flow; nil if there is no flow that has this name, or had it in an earlier build.
    static func presentName(ofFlow name: String) -> String? {
        flowTable.names.contains(name) ? name : formerFlowNames[name]
    }

    /// A step whose flow gets its present name; nil if it has that.
    private static func renamed(
        _ step: JSONValue, from source: SecretSource
    ) -> (step: JSONValue, source: SecretSource)? {
        guard !formerFlowNames.isEmpty, let (former, payload) = step.caseNameAndPayload,
            let name = presentName(ofFlow: former), name != former
        else { return nil }
        var writer = JSONWriter()
        if let payload {
            writer.beginObject()
            writer.key(name)
            writer.raw(payload.bytes)
            writer.endObject()
        } else {
            writer.string(name)
        }
        guard let renamed = try? JSONDocument(parsing: writer.bytes).root else { return nil }
        let translation = PlaceTranslation(
            given: step, at: step.range, decoded: renamed, formerNames: [name: former])
        return (
            renamed,
            SecretSource(part: source.part, range: renamed.range, input: source.input, translation: translation)
        )
    }
}

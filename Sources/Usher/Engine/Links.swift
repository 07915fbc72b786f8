import UsherJSON

/// A deep link: flows from the root down, each in Swift's JSON coding of an enum case.
struct Link {
    let steps: [JSONValue]
    /// The secrets in the steps, as recorded for the input that contained the link.
    let secrets: InputSecrets
}

/// The way in which an input handles a deep link: the input's own link, or a waiting link.
///
/// A link is followed completely or not at all. If a link fails halfway, the tree is built again, and the new tree
/// handles the input with another value of this type. The journal records this value for replay. A coordinator on the
/// link's way is a host. A host that is not ready may first show screens, for example a login. The link then waits
/// until these screens are gone.
package enum LinkHandling: Equatable, Sendable {
    /// Follow the link.
    case follow
    /// Leave the link waiting, because a coordinator on the link's way is not ready.
    case keep
    /// Drop the link, with a warning that contains the reason.
    ///
    /// If the user has closed the screens that the link waited for, the reason is empty, and there is no warning.
    case drop(String)
}

/// The state of a tree's deep link: the waiting link, and the progress of the current input in following a link.
///
/// The state is accessed without exclusivity checks, because no author's code runs during a change.
final class LinkFollower {
    /// The part of the state that belongs to the current input.
    private struct Progress {
        let handling: LinkHandling
        /// Whether this input brought the waiting link; if not, the tree tries to follow it at the end of the input.
        var isNew = false
        /// Whether this input has tried to follow the waiting link.
        ///
        /// If so, the link is the cause of later failures, and the input is handled again without the link.
        var wasOffered = false
        /// Whether the link has passed its first host, so that earlier hosts may have acted.
        var isOnWay = false
        /// Whether the current host has shown, started or changed anything.
        var hasHostActed = false
    }

    /// The part of the state that only sessions with a link need.
    private final class Journey {
        @safe @exclusivity(unchecked) var pending: Link?
        @safe @exclusivity(unchecked) var first: Link?
        @safe @exclusivity(unchecked) var end: (any FlowHost.Type)?
        /// The free ids before and after a host showed the screens that the link waits for; nil if no host has shown
        /// such screens.
        @safe @exclusivity(unchecked) var request: (from: NextIdentifiers, to: NextIdentifiers)?
        /// The modals that were open when the current link was followed, retained so that no new modal gets the address
        /// of a closed modal.
        @safe @exclusivity(unchecked) var modalsBefore = SmallArray<Navigation>()
    }

    @safe @exclusivity(unchecked) private var progress = Progress(handling: .follow)
    @safe @exclusivity(unchecked) private var journey: Journey?

    /// The link that waits for its host.
    var pending: Link? { journey?.pending }

    /// The link that the session begins with; nil after the root has started.
    var first: Link? { journey?.first }

    /// The host that the last followed link led to, if a longer link could continue from this host.
    var end: (any FlowHost.Type)? { journey?.end }

    var wasOffered: Bool { progress.wasOffered }

    /// The steps of a link that came with this input and must wait.
    var stepsToWaitFor: [JSONValue] { progress.isNew ? pending?.steps ?? [] : [] }

    func begin(_ handling: LinkHandling) {
        progress = Progress(handling: handling)
    }

    /// Stores the link that a session begins with, before the root starts.
    func beginSession(with link: Link?) {
        if let link, progress.handling == .follow { ownJourney().first = link }
    }

    func noteAction() {
        progress.hasHostActed = true
    }

    /// Opens a link that came with the input; the link waits if a host is not ready.
    func open(_ link: Link, in tree: Tree) throws {
        let journey = ownJourney()
        journey.first = nil
        journey.pending = link
        journey.request = nil
        progress.isNew = true
        if progress.handling == .follow { try follow(link, in: tree) }
    }

    /// Removes the waiting link, because a new root replaces the previous one, and returns the link that the new
    /// history begins with; nil if no link was waiting or the link is dropped.
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

    var isKept: Bool { progress.handling == .keep }

    /// Opens the waiting link on the new root, after the previous root has started over.
    func reopen(_ link: Link, in tree: Tree) throws {
        guard !tree.isBroken else { return }
        progress.wasOffered = true
        try open(link, in: tree)
    }

    /// Tries to follow the waiting link, at the end of a later input.
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
        if !reason.isEmpty { tree.warnings.add("the waiting link was dropped: \(reason)") }
    }

    /// Whether a link is being followed and modals may be in the link's way.
    var hasModalsBefore: Bool { journey?.modalsBefore.isEmpty == false }

    /// Closes the modals over a coordinator that a link leads to, before the coordinator acts.
    func clearWay(for node: Node) {
        noteAction()
        guard let modalsBefore = journey?.modalsBefore, !modalsBefore.isEmpty else { return }
        let window = node.tree.window
        let first = window.firstModal(over: window.navigation(of: node))
        let inTheWay = window.modals[first...].firstIndex { modal in modalsBefore.contains { $0 === modal } }
        if let inTheWay { window.dismiss(from: inTheWay, in: node.tree) }
    }

    /// Keeps the modals open, because the coordinators that the link leads to close them.
    func leaveModals() {
        journey?.modalsBefore = []
    }

    private func ownJourney() -> Journey {
        let present = journey ?? Journey()
        journey = present
        return present
    }

    /// Follows a link, which continues to wait if a host is not ready.
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

    /// Makes a link wait, because a host that is not ready has acted: for example, it has shown a login.
    ///
    /// The host's changes stay only the first time. In later attempts with the same outcome, the changes are undone,
    /// because the host would otherwise show the same screens again. The link is dropped when all screens and
    /// coordinators of the first attempt are gone.
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

    /// Warns of a host that is in no tree, because such a host can show nothing.
    private func warnOfUnstarted(_ host: any FlowHost, givenBy giver: any FlowHost, in tree: Tree) {
        guard host.isNew else { return }
        tree.warnings.add(
            "\(type(of: giver)): `open` returned \(type(of: host)) without starting it, "
                + "so the returned coordinator shows nothing"
        )
    }

    private static func deadEnd(_ index: Int, _ step: JSONValue) -> String {
        index == 0
            ? "this app accepts no links"
            : "no coordinator can open this step of the link, at \(step.place)"
    }
}

extension FlowHost {
    /// Opens a flow if it is of this host's type `Flow`, and returns whether it is.
    func take(_ flow: any Codable & Sendable) throws -> Bool {
        guard let flow = flow as? Flow else { return false }
        _ = try open(flow)
        return true
    }

    static var flowTable: CaseTable<Flow> {
        Descriptions.shared.value(of: Self.self) { CaseTable(examples) }
    }

    func open(
        step: JSONValue, from source: SecretSource, _ secrets: SecretLedger
    ) throws -> (any FlowHost)? {
        try open(decode(step, from: source, secrets))
    }

    /// Returns the session's first flow, which the engine opens later, for a root that needs the flow in `start()`.
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
    /// - Throws: A rejection that lists the flows, or names the place in the payload.
    static func decode(
        _ step: JSONValue, from source: SecretSource, _ secrets: SecretLedger
    ) throws(Rejection) -> Flow {
        let (step, source) = renamed(step, from: source) ?? (step, source)
        return try flowTable.decode(step, as: "flow", of: "the coordinator \"\(name)\"", from: source, secrets)
    }

    /// Returns the current name of a flow; nil if no flow has, or once had, this name.
    static func presentName(ofFlow name: String) -> String? {
        flowTable.names.contains(name) ? name : formerFlowNames[name]
    }

    /// Returns a step with the current name of its flow; nil if the step already uses the current name, or an unknown
    /// one.
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

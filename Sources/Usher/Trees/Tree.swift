public import UsherJSON

/// One session's coordinators and screens: the cache that its inputs can rebuild.
///
/// Not `Sendable`, and never waits: its session lets one input in at a time. An input either happens as a whole
/// (`handle` returns) or has to be undone: a tree that `isBroken` must be dropped and built anew.
public final class Tree {
    /// How large it may grow.
    let limits: Limits
    let window = Window()
    let warnings = Warnings()
    private let seed: UInt64

    var root: AnyCoordinator?
    /// The time of the input that is being handled.
    private(set) var now: Timestamp
    var random: SeededGenerator
    /// How many inputs were accepted, the creation included.
    public internal(set) var revision = 0
    /// The next free ids.
    public internal(set) var identifiers = NextIdentifiers()
    /// How many coordinators it has seen.
    public internal(set) var census = CoordinatorCounts()
    /// All leaks so far.
    public internal(set) var leaks: [Leak] = []
    /// How the root ended, once it has.
    public internal(set) var ending: Ending?

    var changeLog = ChangeLog()
    /// The digests of all live coordinators, combined without an order.
    var coordinatorsDigest: UInt64 = 0
    var screenCount = 0
    /// Whether screens are being encoded: an author's `encode(to:)` must not change the tree meanwhile.
    var isEncoding = false
    /// Bytes of JSON of all screens.
    public var stateBytes: Int { window.byteCount }
    var startsInThisInput = 0
    /// Coordinators that lost a screen or a child in this input: the cancel rule may hold for them.
    var suspects = Few<AnyCoordinator>()
    var departed = Few<Departed>()
    /// What has begun and not come to its end, in the order of ids; never changed in place, as `Window.modals`.
    var pendingWork: [PendingWork] = []
    var workInThisInput = 0
    /// The screen with which work goes that begins now.
    var speaker: ScreenInstance?
    /// What the last input let go of and is still alive.
    var lingering = Few<Departed>()
    /// A link whose host was not ready.
    var pendingLink: Link?
    /// Whether that link came with this input: it is offered from the next on.
    var linkIsNew = false
    /// The modals that were there when the link that is being followed began; held, so that no new one takes the place
    /// in memory of one that has gone.
    var modalsBeforeLink = Few<Navigation>()
    /// Whether the link that waited was followed in this input: what fails from then on is the link's fault.
    var linkWasOffered = false
    /// Whether the link that is being followed has done anything yet.
    var linkHasActed = false
    /// What the input does with a link.
    private(set) var linkHandling = LinkHandling.follow
    /// Why the input that is being handled cannot happen; nil as long as it can.
    var trouble: Trouble?
    let secrets: SecretLedger

    /// Starts a root coordinator: revision 1.
    ///
    /// - Parameters:
    ///   - root: A coordinator that has not been started.
    ///   - seed: Where the session's random numbers come from.
    ///   - time: When the session was created.
    ///   - link: A deep link to begin with; the flows from the root down.
    ///   - handling: What is done with that link; it is followed unless that has failed.
    ///   - limits: How large the tree may grow.
    /// - Throws: `Rejection` when the root, or a child that it starts, cannot be started, or the link not be opened.
    public convenience init(
        root: consuming AnyCoordinator, seed: UInt64, time: Timestamp, link: [JSONValue] = [],
        handling: LinkHandling = .follow, limits: Limits = Limits()
    ) throws(Rejection) {
        try self.init(
            root: consume root, secrets: SecretLedger(), seed: seed, time: time, link: link, handling: handling,
            limits: limits)
    }

    /// Starts a root coordinator that was made from options.
    ///
    /// - Parameter secrets: Those that these options brought, as part of revision 1.
    init(
        root: consuming AnyCoordinator, secrets: SecretLedger, seed: UInt64, time: Timestamp, link: [JSONValue],
        handling: LinkHandling, limits: Limits
    ) throws(Rejection) {
        self.secrets = secrets
        self.seed = seed
        self.limits = limits
        now = time
        linkHandling = handling
        random = SeededGenerator(seed: seed, revision: 1)
        // Moved, not copied: a root that ends in its own `start` must be dead when it is judged.
        self.root = consume root
        let link = link.isEmpty ? nil : Link(steps: link, secrets: secrets.expect())
        run {
            if let root = self.root { enter(root, under: nil, on: window.base) }
            if let link { try open(link) }
        }
        try commit(nil)
    }

    /// Handles an input.
    ///
    /// - Returns: Whether it counted; false for a fact that was known already.
    /// - Throws: `Rejection`; the tree is unchanged, or `isBroken`.
    public func handle(_ input: Input) throws(Rejection) -> Bool {
        now = input.time
        linkHandling = input.link
        secrets.begin(revision: revision + 1, isErased: input.isErased)
        guard try perform(input.content) else { return false }
        try commit(input)
        return true
    }

    /// Makes sure that no id below these is given to a new screen or coordinator.
    ///
    /// - Parameter identifiers: Ids that were free once; some may have been spent by an input that was undone.
    public func advance(to identifiers: NextIdentifiers) {
        self.identifiers.advance(to: identifiers)
    }

    /// Runs an author's code as the body of an input.
    ///
    /// - Parameters:
    ///   - speaker: The screen with which work goes that begins in it.
    ///   - body: The code.
    func run(with speaker: ScreenInstance? = nil, _ body: () throws -> Void) {
        random = SeededGenerator(seed: seed, revision: revision + 1)
        changeLog = ChangeLog()
        warnings.clear()
        startsInThisInput = 0
        workInThisInput = 0
        linkIsNew = false
        linkWasOffered = false
        self.speaker = speaker
        do { try secrets.handling(body) } catch { fail(error) }
        self.speaker = nil
    }

    /// Runs the closure that an event of a screen goes to, as the body of an input.
    ///
    /// An alert is gone before, so that the closure can present another.
    func run(answering instance: ScreenInstance, _ body: () throws -> Void) {
        run(with: instance) {
            dismissAlert(instance)
            try body()
        }
    }

    /// - Parameter input: What is being handled; nil at the creation.
    private func commit(_ input: Input?) throws(Rejection) {
        secrets.handling {
            settle()
            offerPendingLink()
            settle()
            if !isBroken { encodeScreens() }
        }
        guard !isBroken else { throw rejection }
        revision += 1
        secrets.commit(waiting: linkIsNew ? pendingLink?.steps ?? [] : [])
        judge(after: input?.summary ?? "create")
    }

    deinit {
        // Coordinators that authors keep longer than the session must not reach into a tree that is gone, and nobody may
        // act on one that is about to go, as a `deinit` of what it lets go of might.
        let nodes = root?.node.map { nodesDeepestFirst(from: $0) } ?? []
        for screen in window.screens { screen.leave(warnings) }
        for node in nodes { node.coordinator.leave(warnings) }
    }
}

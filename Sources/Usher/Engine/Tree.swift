package import UsherJSON

/// One session's coordinators and screens: the cache that its inputs can rebuild.
///
/// Not `Sendable`, and never waits: its session lets one input in at a time. An input either happens as a whole
/// (`handle` returns) or has to be undone: a tree that `isBroken` must be dropped and built anew.
///
/// Its state is accessed without checks for exclusivity: no author's code runs in the midst of a change.
package final class Tree {
    /// The limits to which it may grow.
    let limits: Limits
    let window = Window()
    let hierarchy: Hierarchy
    let pendingWork = PendingWorkList()
    let link = LinkFollower()
    let ledger = LeakLedger()
    let secrets: SecretLedger
    let warnings = Warnings()
    /// The client that sees it.
    let audience: SessionAudience
    /// The account of what the client cannot draw; nil where it can draw everything.
    let gaps: DrawingGaps?
    /// The app that it was opened with; nil for a root coordinator without one.
    let app: (any App.Type)?
    package let seed: UInt64
    /// The options that it begins with as JSON; nil for none, for those with a secret, and for long ones.
    @safe @exclusivity(unchecked) package private(set) var options: [UInt8]?
    /// The changes that were known to the builds which started the coordinators; nil if there are none.
    @safe @exclusivity(unchecked) var knownChanges: KnownChanges?
    /// The input that is being handled, or was handled last.
    @safe @exclusivity(unchecked) var transaction: Transaction
    // Stored apart: another target that reads what is stored would check it, for it does not know that it needs none.
    @safe @exclusivity(unchecked) private var acceptedCount = 0
    @safe @exclusivity(unchecked) private var nextIdentifiers = NextIdentifiers()
    /// The screens on display, and the selected tab, at the last `noteDisplay`.
    @safe @exclusivity(unchecked) var notedScreens: [Int] = []
    @safe @exclusivity(unchecked) var notedTab: String?
    /// The resumption that the client is told of; nil if there was none.
    @safe @exclusivity(unchecked) var notice: ResumptionNotice?
    /// The newest history that the root coordinator has asked for; nil if it has never started over.
    @safe @exclusivity(unchecked) var beginning: NewBeginning?
    /// The first revision of the history.
    @safe @exclusivity(unchecked) var historyStart: Int

    /// The number of inputs that were accepted, the creation included.
    package var revision: Int { acceptedCount }

    /// The next free ids.
    package var identifiers: NextIdentifiers { nextIdentifiers }

    /// Starts a root coordinator: revision 1.
    ///
    /// - Parameters:
    ///   - root: A coordinator that has not been started.
    ///   - seed: Where the session's random numbers come from.
    ///   - time: When the session was created.
    ///   - link: A deep link to begin with; the flows from the root down.
    ///   - handling: What is done with that link; it is followed unless that has failed.
    ///   - limits: How large the tree may grow.
    ///   - audience: The session's client, and the app's fallback for it.
    /// - Throws: `Rejection` when the root, or a child that it starts, cannot be started, or the link not be opened.
    package convenience init(
        root: consuming AnyCoordinator, seed: UInt64, time: Timestamp, link: [JSONValue] = [],
        handling: LinkHandling = .follow, limits: Limits = Limits(), audience: SessionAudience = .silent
    ) throws(Rejection) {
        try self.init(
            root: consume root, secrets: SecretLedger(), seed: seed, time: time, link: link, handling: handling,
            limits: limits, audience: audience, isReplayed: false, of: nil)
    }

    /// Starts a root coordinator that was made from options.
    ///
    /// - Parameters:
    ///   - secrets: Those that these options brought, as part of revision 1.
    ///   - isReplayed: True where a build has accepted the creation, and its inputs follow.
    ///   - app: The app; nil if there is none.
    ///   - origin: The point of the session at which its history begins.
    ///   - changes: The changes that the build knew which opened the session, and this one; nil if there are none.
    init(
        root: consuming AnyCoordinator, secrets: SecretLedger, seed: UInt64, time: Timestamp, link steps: [JSONValue],
        handling: LinkHandling, limits: Limits, audience: SessionAudience, isReplayed: Bool, of app: (any App.Type)?,
        at origin: TreeOrigin = TreeOrigin(), changes: KnownChanges? = nil
    ) throws(Rejection) {
        knownChanges = changes
        self.secrets = secrets
        self.app = app
        self.seed = seed
        self.limits = limits
        self.audience = audience
        gaps = audience.drawsAll ? nil : DrawingGaps(isReplaying: isReplayed)
        transaction = Transaction(
            at: time, random: SeededGenerator(seed: seed, revision: origin.revision), isRecorded: isReplayed)
        hierarchy = Hierarchy(root: consume root, after: origin.coordinators)
        (acceptedCount, nextIdentifiers) = (origin.revision - 1, origin.identifiers)
        historyStart = origin.revision
        notice = origin.notice.map { ResumptionNotice($0) }
        ledger.succeed(origin.leaks)
        link.begin(handling)
        let first = steps.isEmpty ? nil : Link(steps: steps, secrets: secrets.expect())
        link.beginSession(with: first)
        startRoot(with: first, after: origin) { try link.open($0, in: self) }
        let leaks = try commit()
        if origin.revision > 1 {
            replaceDisplay(of: origin)
        } else if leaks {
            recordLeaks(after: "create")
        }
    }

    /// Notes the options that it begins with, after its first input.
    package func note(options: [UInt8]) {
        self.options = inputSecrets.isEmpty && Self.tells(options) ? options : nil
    }

    /// Handles an input.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - isRecorded: Whether a server has accepted it, so that it happens whatever bytes of state this one allows.
    /// - Returns: Whether it counted; false for a fact that was known already.
    /// - Throws: `Rejection`; the tree is unchanged, or `isBroken`.
    package func handle(_ input: Input, isRecorded: Bool = false) throws(Rejection) -> Bool {
        transaction.begin(
            at: input.time, random: SeededGenerator(seed: seed, revision: revision + 1),
            screenBefore: visible?.id ?? 0, firstNewScreen: identifiers.screen, isRecorded: isRecorded)
        link.begin(input.link)
        pendingWork.forgetCancelled()
        secrets.begin(revision: revision + 1, isErased: input.isErased)
        guard try perform(input.content) else { return false }
        if try commit() { recordLeaks(after: input.summary) }
        return true
    }

    /// Runs an author's code as the body of an input.
    ///
    /// - Parameters:
    ///   - speaker: The screen with which work goes that begins in it.
    ///   - closesAlert: Whether that screen's event is handled: an alert goes first, so that the closure can present
    ///     another.
    ///   - body: The code.
    func run(with speaker: ScreenInstance? = nil, closesAlert: Bool = false, _ body: () throws -> Void) {
        window.forgetChanges()
        warnings.clear()
        transaction.exchangeSpeaker(for: speaker)
        do {
            try secrets.handling {
                if closesAlert, let speaker { window.dismissAlert(speaker, in: self) }
                try body()
            }
        } catch {
            fail(error)
        }
        transaction.exchangeSpeaker(for: nil)
    }

    /// The end of an input: what is left without a screen is cancelled, a link that waits is offered, who is returned to
    /// is told, and what changed is encoded.
    ///
    /// - Returns: Whether something that left is alive: its leaks must be recorded.
    private func commit() throws(Rejection) -> Bool {
        let hierarchy = hierarchy
        secrets.handling {
            hierarchy.settle(in: self)
            link.offerPending(in: self)
            hierarchy.settle(in: self)
            if let visible, transaction.isReturn(to: visible) {
                tellReturn(to: visible)
                hierarchy.settle(in: self)
            }
            if let beginning, beginning.revision > revision { begin(beginning) }
            if !isBroken { encodeScreens() }
        }
        guard !isBroken else { throw rejection }
        if !transaction.isRecorded { pendingWork.beginDeferred(in: self) }
        acceptedCount += 1
        secrets.commit(waiting: link.stepsToWaitFor)
        return judge()
    }

    /// Tells a coordinator that the user sees one of its screens again; work that it begins goes with that screen.
    private func tellReturn(to screen: ScreenInstance) {
        guard !isBroken, let owner = screen.owner else { return }
        transaction.exchangeSpeaker(for: screen)
        do { try owner.didReturn(to: screen.id) } catch { fail(error) }
        transaction.exchangeSpeaker(for: nil)
    }

    /// Encodes what has changed, at the end of the input: pushing and updating costs one encoding.
    func encodeScreens() {
        transaction.isEncoding = true
        defer { transaction.isEncoding = false }
        do throws(JSONError) {
            try window.encode()
        } catch {
            fail(error)
        }
        if stateBytes > limits.stateBytes, !transaction.isRecorded { fail(excessOfBytes) }
        if let screen = gaps?.find(in: window, at: revision + 1) { fail(Rejection(screen, for: audience.client)) }
    }

    private var excessOfBytes: Rejection {
        Rejection(.limit, "the screens of a session can hold at most \(limits.stateBytes) bytes of state")
    }

    /// Encodes the screens whose ids are others now.
    func encodeAgain() { secrets.handling { encodeScreens() } }

    /// The leak verdict: whatever left in this input must be dead by now, for the handler's frames are closed.
    ///
    /// - Returns: Whether something is alive.
    private func judge() -> Bool {
        if ending != nil { hierarchy.forgetRoot() }
        return ledger.judge(in: window, pendingWork)
    }

    private func recordLeaks(after input: String) {
        hierarchy.countLeaks(ledger.record(revision: revision, after: input))
    }

    /// Tells the root coordinator what a resumption has dropped.
    ///
    /// Deferred work and a link that waits are left to the next input, which may not come for a long time.
    func tell(
        _ root: AnyCoordinator, of dropped: Dropped, at time: Timestamp, isRecorded: Bool
    ) throws(Rejection) {
        transaction.begin(
            at: time, random: SeededGenerator(seed: seed, revision: revision + 1), screenBefore: visible?.id ?? 0,
            firstNewScreen: identifiers.screen, isRecorded: true)
        link.begin(.keep)
        pendingWork.forgetCancelled()
        secrets.begin(revision: revision + 1, isErased: false)
        run { try root.didResume(dropped: dropped) }
        if let beginning, beginning.revision > revision {
            fail(Rejection(.invalid, "the root coordinator cannot start over in didResume(dropped:)"))
        }
        if try commit() { recordLeaks(after: "resume") }
        if ending != nil {
            fail(Rejection(.invalid, "the root coordinator cannot end in didResume(dropped:)"))
        } else if !isRecorded, stateBytes > limits.stateBytes {
            fail(excessOfBytes)
        }
        guard !isBroken else { throw rejection }
    }

    deinit {
        // Coordinators that authors keep longer than the session must not reach into a tree that is gone, and nobody may
        // act on one that is about to go, as a `deinit` of what it lets go of might.
        surrounded {
            let screens = Array(window.screens)
            for node in hierarchy.nodes { node.coordinator.leave(warnings) }
            for screen in screens { screen.leave(warnings) }
            pendingWork.forgetAll()
        }
    }
}

/// A root in whose surroundings its tree is taken apart, so that a `deinit` finds all that it had in its life.
package protocol SurroundingRoot: AnyCoordinator {
    /// Runs what lets go of the tree's objects.
    func surround(_ body: () -> Void)
}

extension Tree {
    /// Runs what lets go of the tree's objects, as the root wants it.
    func surrounded(_ body: () -> Void) {
        guard let root = hierarchy.root as? any SurroundingRoot else { return body() }
        root.surround(body)
    }
}

extension Tree {
    /// Set once an input failed half-way: the tree shows what never happened, and must be dropped.
    package var isBroken: Bool { transaction.failure != nil }

    /// Notes that the input cannot happen; the first reason counts.
    func fail(_ error: any Error) {
        guard transaction.failure?.rejection == nil else { return }
        // Made before the transaction changes: an author's error may describe itself with anything.
        let rejection = Rejection(error)
        transaction.fail(rejection)
    }

    /// Why the input did not count.
    private var rejection: Rejection {
        let failure = transaction.failure
        var rejection = failure?.rejection ?? Rejection(.failed, "a link gets only half-way")
        let isLinkAtFault = link.wasOffered && failure?.rejection != nil
        rejection.retry = isLinkAtFault ? .drop(rejection.reason) : failure?.retry
        return rejection
    }
}

extension Tree {
    /// Makes sure that no id below these is given to a new screen or coordinator.
    ///
    /// - Parameter identifiers: Ids that were free once; some may have been spent by an input that was undone.
    package func advance(to identifiers: NextIdentifiers) {
        nextIdentifiers.advance(to: identifiers)
    }

    /// Begins the input's transaction again, at the same time, as that of a history's first input.
    func resetTransaction(at revision: Int) {
        transaction.begin(
            at: transaction.now, random: SeededGenerator(seed: seed, revision: revision), screenBefore: 0,
            firstNewScreen: identifiers.screen, isRecorded: transaction.isRecorded)
    }

    /// Notes that a coordinator does something: a link that is being followed has acted then.
    func noteAction() { link.noteAction() }

    /// Goes to a later revision without an input.
    func skip(to revision: Int) {
        acceptedCount = max(acceptedCount, revision)
        window.forgetChanges()
        warnings.clear()
    }

    func takeScreenID() -> Int { nextIdentifiers.takeScreen() }

    func takeCoordinatorID() -> Int { nextIdentifiers.takeCoordinator() }
}

extension Tree {
    /// Takes the place of a tree that was dropped: ids that it has spent stay spent, and its leaks stay what was found
    /// out about them.
    ///
    /// - Parameters:
    ///   - identifiers: The ids that were free when it was dropped; nil where it has spent none for good.
    ///   - leaks: What it knew of its leaks; those of inputs that were undone are left out.
    ///   - count: How many it had counted before these.
    package func succeed(identifiers: NextIdentifiers?, leaks: [Leak], count: Int) {
        if let identifiers { advance(to: identifiers) }
        ledger.succeed(leaks.filter { $0.revision <= revision })
        // Beyond those that are listed it is not known which inputs they came from.
        hierarchy.setLeakCount(count == leaks.count ? leakCount : count)
    }

    /// Notes who holds the leaks of a type that inputs of a kind have left, where that is not known yet.
    ///
    /// - Parameters:
    ///   - holder: A stored property's path, or a closure by its file and line.
    ///   - leak: One of these leaks.
    package func note(holder: String, ofLeaksLike leak: Leak) {
        ledger.note(holder: holder, ofLeaksLike: leak)
    }

    /// Ends the session from outside: everything leaves, nobody is told.
    ///
    /// - Returns: What did not leave memory.
    @discardableResult
    package func end() -> [Leak] {
        let known = leakCount
        surrounded { hierarchy.empty(in: self) }
        if judge() { recordLeaks(after: "delete") }
        return Array(leaks[known...])
    }
}

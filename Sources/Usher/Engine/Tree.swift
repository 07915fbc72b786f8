package import UsherJSON

/// One session's coordinators and screens: a cache, which can be rebuilt from the session's inputs.
///
/// The tree is not `Sendable` and never waits. The session passes one input at a time. If an input takes effect as a
/// whole, `handle` returns. If an input fails halfway, the tree `isBroken`, and must be dropped and built again.
///
/// The state is accessed without exclusivity checks, because no app code runs during a change.
package final class Tree {
    let limits: Limits
    let window = Window()
    let hierarchy: Hierarchy
    let pendingWork = PendingWorkList()
    let link = LinkFollower()
    let ledger = LeakLedger()
    let secrets: SecretLedger
    let warnings = Warnings()
    let audience: SessionAudience
    /// The screens that the client cannot draw; nil if the client can draw every screen.
    let gaps: DrawingGaps?
    /// The app of the session; nil for a root coordinator without an app.
    let app: (any App.Type)?
    package let seed: UInt64
    /// The options of the history as JSON; nil if there are no options, if they contain a secret, or if they are too
    /// long.
    @safe @exclusivity(unchecked) package private(set) var options: [UInt8]?
    /// The changes known to the builds that started the coordinators; nil if there are no changes.
    @safe @exclusivity(unchecked) var knownChanges: KnownChanges?
    /// The state of the current or last input.
    @safe @exclusivity(unchecked) var transaction: Transaction
    // The next two are private, because another target that reads a stored property would check exclusivity.
    @safe @exclusivity(unchecked) private var acceptedCount = 0
    @safe @exclusivity(unchecked) private var nextIdentifiers = NextIdentifiers()
    /// The screens on display, and the selected tab, at the last `noteDisplay`.
    @safe @exclusivity(unchecked) var notedScreens: [Int] = []
    @safe @exclusivity(unchecked) var notedTab: String?
    /// The resumption that the states for the client contain; nil if the session has not resumed.
    @safe @exclusivity(unchecked) var notice: ResumptionNotice?
    /// The newest history that the root coordinator has begun; nil if it has never started over.
    @safe @exclusivity(unchecked) var beginning: NewBeginning?
    /// The first revision of the history.
    @safe @exclusivity(unchecked) var historyStart: Int

    /// The number of accepted inputs, including the creation.
    package var revision: Int { acceptedCount }

    /// The next free ids.
    package var identifiers: NextIdentifiers { nextIdentifiers }

    /// Starts a root coordinator, at revision 1.
    ///
    /// The parameters from `seed` to `handling` are as for `init(opening:options:…)`.
    ///
    /// - Throws: `Rejection` if the root or one of its children cannot be started, or if the link cannot be opened.
    package convenience init(
        root: consuming AnyCoordinator, seed: UInt64, time: Timestamp, link: [JSONValue] = [],
        handling: LinkHandling = .follow, limits: Limits = Limits(), audience: SessionAudience = .silent
    ) throws(Rejection) {
        try self.init(
            root: consume root, secrets: SecretLedger(), seed: seed, time: time, link: link, handling: handling,
            limits: limits, audience: audience, isReplayed: false, of: nil)
    }

    /// Starts a root coordinator that was created from options, whose secrets are part of the first revision.
    ///
    /// For the parameters, see `init(opening:options:…)`. The app is nil if there is none.
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

    /// Stores the options of the history; called after the history's first input.
    package func note(options: [UInt8]) {
        self.options = inputSecrets.isEmpty && Self.tells(options) ? options : nil
    }

    /// Handles an input.
    ///
    /// - Parameter isRecorded: Pass true if a server has already accepted the input, so that this server's limit of
    ///   state does not apply.
    /// - Returns: Whether the input was accepted; false if the input is a fact that the tree already knows.
    /// - Throws: `Rejection`. The tree is then unchanged, or it `isBroken`.
    package func handle(_ input: Input, isRecorded: Bool = false) throws(Rejection) -> Bool {
        transaction.begin(
            at: input.time, random: SeededGenerator(seed: seed, revision: revision + 1),
            screenBefore: window.topID ?? 0, firstNewScreen: identifiers.screen, isRecorded: isRecorded)
        link.begin(input.link)
        pendingWork.forgetCancelled()
        secrets.begin(revision: revision + 1, isErased: input.isErased)
        guard try perform(input.content) else { return false }
        if try commit() { recordLeaks(after: input.summary) }
        return true
    }

    /// Runs app code as the body of an input; work that the code begins ends when `speaker` leaves.
    ///
    /// `closesAlert` means that the code handles an event of `speaker`. If the speaker is an alert, it then closes
    /// first, so that the code can present another modal.
    func run(with speaker: ScreenInstance? = nil, closesAlert: Bool = false, _ body: () throws -> Void) {
        window.forgetChanges()
        warnings.clear()
        transaction.exchangeSpeaker(for: speaker)
        do {
            try secrets.handling {
                if closesAlert, !window.modals.isEmpty, let speaker { window.dismissAlert(speaker, in: self) }
                try body()
            }
        } catch {
            fail(error)
        }
        transaction.exchangeSpeaker(for: nil)
    }

    /// Ends an input, and returns whether an object that has left is still alive, so that leaks must be recorded.
    private func commit() throws(Rejection) -> Bool {
        let hierarchy = hierarchy
        secrets.handling {
            hierarchy.settle(in: self)
            link.offerPending(in: self)
            hierarchy.settle(in: self)
            if let id = window.topID, transaction.isReturn(to: id), let visible {
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

    /// Notifies a coordinator that one of its screens is visible again.
    private func tellReturn(to screen: ScreenInstance) {
        guard !isBroken, let owner = screen.owner else { return }
        transaction.exchangeSpeaker(for: screen)
        do { try owner.didReturn(to: screen.id) } catch { fail(error) }
        transaction.exchangeSpeaker(for: nil)
    }

    /// Encodes the screens that have changed, once per input.
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

    /// Encodes the screens whose ids have changed.
    func encodeAgain() { secrets.handling { encodeScreens() } }

    /// Returns whether an object that left in this input is still alive, although the handler has returned.
    private func judge() -> Bool {
        if ending != nil { hierarchy.forgetRoot() }
        return ledger.judge(in: window, pendingWork)
    }

    private func recordLeaks(after input: String) {
        hierarchy.countLeaks(ledger.record(revision: revision, after: input))
    }

    /// Notifies the root coordinator of the inputs that a resumption has dropped.
    ///
    /// Deferred work and a waiting link stay as they are until the next input, even if that input comes much later.
    func tell(
        _ root: AnyCoordinator, of dropped: Dropped, at time: Timestamp, isRecorded: Bool
    ) throws(Rejection) {
        transaction.begin(
            at: time, random: SeededGenerator(seed: seed, revision: revision + 1), screenBefore: window.topID ?? 0,
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
        // Coordinators that the app keeps longer than the session must not access the deallocated tree. Nor may a
        // `deinit` act on a tree that is being deallocated.
        surrounded {
            let screens = Array(window.screens)
            for node in hierarchy.nodes { node.coordinator.leave(warnings) }
            for screen in screens { screen.leave(warnings) }
            pendingWork.forgetAll()
        }
    }
}

/// A root coordinator that provides the environment in which the objects of its tree are released.
///
/// A `deinit` of the app then runs in the same environment as the app's other code.
package protocol SurroundingRoot: AnyCoordinator {
    /// Runs a closure that releases the tree's objects, in the root's environment.
    func surround(_ body: () -> Void)
}

extension Tree {
    func surrounded(_ body: () -> Void) {
        guard let root = hierarchy.root as? any SurroundingRoot else { return body() }
        root.surround(body)
    }
}

extension Tree {
    /// A Boolean value indicating whether an input failed halfway, so that the tree is invalid and must be dropped.
    package var isBroken: Bool { transaction.failure != nil }

    /// Records that the input fails; only the first reason is kept.
    func fail(_ error: any Error) {
        guard transaction.failure?.rejection == nil else { return }
        // Create the rejection before the transaction changes, because an error of the app may run any code to describe
        // itself.
        let rejection = Rejection(error)
        transaction.fail(rejection)
    }

    private var rejection: Rejection {
        let failure = transaction.failure
        var rejection = failure?.rejection ?? Rejection(.failed, "a deep link reached only part of its steps")
        let isLinkAtFault = link.wasOffered && failure?.rejection != nil
        rejection.retry = isLinkAtFault ? .drop(rejection.reason) : failure?.retry
        return rejection
    }
}

extension Tree {
    /// Prevents new screens and coordinators from getting ids below the given ids, which an undone input may have used.
    package func advance(to identifiers: NextIdentifiers) {
        nextIdentifiers.advance(to: identifiers)
    }

    /// Restarts the input's transaction, with the same time, as the first transaction of a history.
    func resetTransaction(at revision: Int) {
        transaction.begin(
            at: transaction.now, random: SeededGenerator(seed: seed, revision: revision), screenBefore: 0,
            firstNewScreen: identifiers.screen, isRecorded: transaction.isRecorded)
    }

    /// Records that a coordinator acts, perhaps because a link is being followed.
    func noteAction() { link.noteAction() }

    /// Advances to a later revision without an input.
    func skip(to revision: Int) {
        acceptedCount = max(acceptedCount, revision)
        window.forgetChanges()
        warnings.clear()
    }

    func takeScreenID() -> Int { nextIdentifiers.takeScreen() }

    func takeCoordinatorID() -> Int { nextIdentifiers.takeCoordinator() }
}

extension Tree {
    /// Called for a tree that replaces a dropped tree.
    ///
    /// Ids that the dropped tree has used stay used, and known retainers of its leaks stay known.
    ///
    /// - Parameters:
    ///   - identifiers: The dropped tree's free ids; nil if ids that only the dropped tree has used may be used again.
    ///   - leaks: The dropped tree's leaks. Leaks of undone inputs are ignored.
    ///   - count: The dropped tree's total number of leaks, including those beyond the list's limit.
    package func succeed(identifiers: NextIdentifiers?, leaks: [Leak], count: Int) {
        if let identifiers { advance(to: identifiers) }
        ledger.succeed(leaks.filter { $0.revision <= revision })
        // If not all leaks are listed, the inputs of the unlisted leaks are unknown, so all leaks count.
        hierarchy.setLeakCount(count == leaks.count ? leakCount : count)
    }

    /// Records the retainer of all leaks with the same type and kind of input as a leak, if no retainer is known yet.
    package func note(holder: String, ofLeaksLike leak: Leak) {
        ledger.note(holder: holder, ofLeaksLike: leak)
    }

    /// Ends the session without callbacks, after a request or at its expiry; returns the objects that stayed in memory.
    @discardableResult
    package func end() -> [Leak] {
        let known = leakCount
        surrounded { hierarchy.empty(in: self) }
        if judge() { recordLeaks(after: "delete") }
        return Array(leaks[known...])
    }
}

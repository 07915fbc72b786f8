import Synchronization
import Usher
package import UsherJournal

extension SessionRegistry {
    /// Performs the periodic work on all sessions; the server must call this function regularly.
    ///
    /// The function wakes sessions that have work to do, hibernates idle sessions, ends sessions that have been idle
    /// for longer, and deletes sessions that ended long ago. No other function ends a session because of its age.
    package func sweep() async {
        await hibernateIdle()
        // If the journal is shared, `duties` does this every second.
        if duties == nil { await settleResumptions() }
        reclaim.settle()
        let reading = trust.withLock { $0.read(settings.clock) }
        if let jump = reading.jump { settings.observe(.clockJumped(milliseconds: jump)) }
        do throws(JournalError) {
            try await settings.held.refresh()
            try await wakeDue()
            // Only one server at a time does the rest. A server whose clock contradicts the journal's clock does not.
            if let peers = settings.peers {
                guard !peers.isClockWrong, try await peers.take(.sweep) else { return }
            }
            // Uses the time of `reading`, even if the clock has been changed since.
            if reading.mayEnd { try await expireIdle(at: reading.now) }
            if reading.mayForget { try await purgeEnded(at: reading.now) }
            try await purgeResidue()
            if reading.mayForget { try await settings.journal.forget(settings.guilty.foreign(by: reading.now)) }
        } catch {
            settings.observe(.postponed(cause: "\(error)"))
        }
    }

    /// Performs the duties of a server on a shared journal; the server must call this function every second.
    package func meetPeers() async {
        await duties?.run()
    }

    private func hibernateIdle() async {
        await store.hibernateIdle(since: settings.clock.now().milliseconds &- settings.bounds.idleTime.milliseconds)
    }

    /// Confirms the release of this build.
    ///
    /// The server then writes the resumptions that were waiting for this confirmation, and starts the work of the
    /// resumed sessions.
    ///
    /// - Returns: Other builds with running servers. If the list is not empty, the release is not confirmed.
    /// - Throws: `SessionError`.
    package func confirmRelease() async throws(SessionError) -> [JournalBuild] {
        let others = try await settings.ask(await settings.releases.confirm())
        if others.isEmpty { await settleResumptions() }
        return others
    }

    private func settleResumptions() async {
        do throws(JournalError) { try await store.settle(settings.releases) } catch {
            settings.observe(.postponed(cause: "\(error)"))
        }
    }

    /// Hibernates sessions until enough memory is released, and then starts to return freed memory to the system.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes to release.
    ///   - isUrgent: Pass `true` to also hibernate sessions in use, and to return freed memory even if no session
    ///     hibernates.
    package func makeRoom(of bytes: Int, isUrgent: Bool = false) {
        let time = settings.clock.now().milliseconds &- Self.restTime.milliseconds
        let retired = store.hibernate(bytes: bytes, restingSince: time, others: isUrgent)
        if retired > 0 || isUrgent { reclaim.run() }
    }

    /// The time without use after which a session counts as at rest: short, because most users send the next event
    /// sooner, and waking a session takes less than a millisecond.
    private static let restTime = Duration.seconds(10)

    /// The number of sessions that are read at once: small, so that the journal can do other work in between.
    private static let stretch = 256

    /// Wakes sessions with due timers, or with effects that were running when a process ended.
    ///
    /// On a shared journal, the server claims work instead. Call this function before you expire sessions: while no
    /// server was running, due work could not run, and its sessions may look idle.
    func wakeDue() async throws(JournalError) {
        if let duties { return try await duties.claim() }
        let time = settings.clock.now().milliseconds &+ SessionSettings.foresight.milliseconds
        var unstalled = settings.held.stalled
        var page: [DueSession] = []
        // Reads all pages. The list begins with running effects, whose sessions may already be awake, so the first
        // pages may contain no session to wake.
        repeat {
            page = try await settings.journal.due(
                by: time, after: page.last, limit: Self.duePage, for: settings.guilty.build())
            for due in page {
                let id = SessionID(due.key)
                unstalled.remove(id)
                // If memory is scarce, the sessions stay asleep until a later sweep.
                guard !settings.gate.refuses(.waking), !Task.isCancelled else { return }
                await wakeDue(id)
            }
        } while page.count == Self.duePage
        settings.held.forgetStalled(unstalled)
    }

    private func wakeDue(_ id: SessionID) async {
        // A session that is in memory but was never used is woken, too, because only a denied request has added it to
        // memory.
        guard store.find(id).map({ $0.lastUse == .min }) ?? true, !settings.held.isStalled(id) else { return }
        guard !settings.releases.isUnwritten(id) else { return }
        do throws(SessionError) {
            try await with(id, lastUsed: settings.clock.now().milliseconds) { session throws(SessionError) in
                _ = try await session.wake(waiting: false, as: .waking)
                // If this build's tree does not contain the work that another build started, the work would stay due
                // forever.
                if session.ifFree(.arriving, { $0.look { $0.hasWorkSoon } }) == false { settings.held.stall(id) }
            }
        } catch {
            // Ignores the error, because requests for the session get it, too. The next sweep tries again, if the
            // session is not on hold by then.
            _ = store.find(id)?.retire()
        }
    }

    private static let duePage = 4_096

    private func expireIdle(at now: Timestamp) async throws(JournalError) {
        let time = now.milliseconds &- settings.bounds.expiryTime.milliseconds
        while !Task.isCancelled {
            let candidates = try await settings.journal.idle(since: time, limit: Self.stretch)
            try await expire(candidates, unlessUsedSince: time)
            guard candidates.count == Self.stretch else { return }
            // Hibernates idle sessions after each page, because the expiry may have woken many sessions.
            await hibernateIdle()
        }
    }

    /// Ends sessions in parallel, so that the journal combines their commits.
    private func expire(_ candidates: [SessionListing], unlessUsedSince time: Int64) async throws(JournalError) {
        let failure = await withTaskGroup(of: JournalError?.self) { group in
            for candidate in candidates {
                group.addTask { [self] in
                    do throws(JournalError) {
                        try await expire(candidate, unlessUsedSince: time)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(nil) { $0 ?? $1 }
        }
        if let failure { throw failure }
    }

    /// Ends a session that was not used for too long; if it was used more recently, records the last use in the
    /// journal.
    private func expire(_ candidate: SessionListing, unlessUsedSince time: Int64) async throws(JournalError) {
        let id = SessionID(candidate.key)
        // If the header cannot be read, the record is kept for the operator: the session counts as used now, and is
        // examined again later.
        let now = settings.clock.now().milliseconds
        var isHeld = try await settings.held.verdict(on: id).map { !settings.isLeftToWriter($0) } ?? false
        let lastUse =
            isInUse(id, candidate.head, isHeld: isHeld, at: now)
            ? now : max(candidate.head?.time ?? now, store.find(id)?.lastUse ?? .min)
        guard lastUse <= time else {
            return try await touch(lastUse, of: candidate.key)
        }
        if !isHeld {
            guard let mustHold = await mustHold(id, candidate.head, lastUsed: lastUse) else {
                return try await touch(now, of: candidate.key)
            }
            isHeld = mustHold
        }
        let heldUntil = lastUse &+ settings.bounds.heldExpiryTime.milliseconds
        guard !isHeld || heldUntil <= now else {
            // Sets the last use so that the session is examined again when the expiry time of held sessions is over.
            return try await touch(heldUntil &- settings.bounds.expiryTime.milliseconds, of: candidate.key)
        }
        do throws(SessionError) {
            let leaks = try await with(id, lastUsed: lastUse) { session throws(SessionError) in
                try await session.end(.expired, unlessUsedSince: time)
            }
            if leaks != nil { settings.observe(.expired(id)) }
        } catch {
            // The session has ended in the meantime, or cannot be read now. The session counts as used now, and is
            // examined again later.
            try await touch(settings.clock.now().milliseconds, of: candidate.key)
        }
    }

    /// Wakes a session that another build may have written last, to find out whether this build must hold the session.
    ///
    /// - Returns: `true` if this build must hold the session, so that it must not expire yet; `nil` if the session
    ///   cannot be read now.
    private func mustHold(_ id: SessionID, _ head: SessionHeader?, lastUsed use: Int64) async -> Bool? {
        guard let head, settings.releases.mayOtherHaveWritten(at: head.time) else { return false }
        do throws(SessionError) {
            try await with(id, lastUsed: use) { session throws(SessionError) in
                _ = try await session.wake(waiting: false, as: .waking)
            }
            return false
        } catch {
            switch error {
            case .onHold:
                _ = store.find(id)?.retire()
                return true
            // The session may expire, because a server of the build that wrote the session is running, and has not used
            // the session.
            case .servedElsewhere: return false
            default: return nil
            }
        }
    }

    /// Returns `true` if a session is watched here, or if one of its effects is running.
    ///
    /// On a shared journal, the server that owns an effect records that the session is in use. The header alone does
    /// not show that an effect is running, because perhaps no server can run the effect.
    private func isInUse(_ id: SessionID, _ head: SessionHeader?, isHeld: Bool, at time: Int64) -> Bool {
        guard !settings.watches.isFollowed(id) else { return true }
        guard !isHeld, !settings.held.isStalled(id) else { return false }
        let isDue = head?.wakeAt.map { $0 <= time } ?? false
        guard let owned = settings.owned, let duties else { return isDue }
        return !owned.pieces(of: id.journalKey).isEmpty || isDue && !duties.areUsesKnown
    }

    private func touch(_ use: Int64, of key: JournalKey) async throws(JournalError) {
        let change = JournalChange(.touch(use), of: key)
        _ = try await settings.journal.submit(change).wait().get()
    }

    private func purgeEnded(at now: Timestamp) async throws(JournalError) {
        let time = now.milliseconds &- settings.bounds.tombstoneTime.milliseconds
        while try await settings.journal.purge(endedBefore: time, limit: Self.stretch) == Self.stretch,
            !Task.isCancelled
        {}
    }

    /// Deletes the oldest ended sessions early if all of them together exceed their limit.
    private func purgeResidue() async throws(JournalError) {
        while try await settings.journal.residue() > settings.bounds.residueLimit,
            try await settings.journal.purge(endedBefore: .max, limit: Self.residueStretch) > 0, !Task.isCancelled
        {}
    }

    /// The number of ended sessions that are deleted at once to free space: small, because a few may be enough.
    private static let residueStretch = 32
}

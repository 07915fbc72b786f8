import Synchronization
import Usher
package import UsherJournal

extension SessionRegistry {
    /// Does what time asks for: sessions with work to do wake, those that are idle hibernate, those idle for longer end,
    /// and what is left of those that ended long ago goes.
    ///
    /// To be called now and then; nothing else ends a session for its age.
    package func sweep() async {
        await hibernateIdle()
        // Among several servers, the duties do it each second.
        if duties == nil { await settleResumptions() }
        reclaim.settle()
        let reading = trust.withLock { $0.read(settings.clock) }
        if let jump = reading.jump { settings.observe(.clockJumped(milliseconds: jump)) }
        do throws(JournalError) {
            try await settings.held.refresh()
            try await wakeDue()
            // One server at a time does the rest, and none whose clock contradicts the journal's.
            if let peers = settings.peers {
                guard !peers.isClockWrong, try await peers.take(.sweep) else { return }
            }
            // By the time that was looked at, whatever the clock says by then.
            if reading.mayEnd { try await expireIdle(at: reading.now) }
            if reading.mayForget { try await purgeEnded(at: reading.now) }
            try await purgeResidue()
            if reading.mayForget { try await forgetForeignInputs(at: reading.now) }
        } catch {
            settings.observe(.postponed(cause: "\(error)"))
        }
    }

    /// Does what a server has to do among those that share the journal; to be called each second.
    package func meetPeers() async {
        await duties?.run()
    }

    private func hibernateIdle() async {
        await store.hibernateIdle(since: settings.clock.now().milliseconds &- settings.bounds.idleTime.milliseconds)
    }

    /// Confirms the release of this build: resumptions are written, and the work of these sessions begins.
    ///
    /// - Returns: The other builds whose servers are running. If there are any, nothing is confirmed.
    /// - Throws: `SessionError`.
    package func confirmRelease() async throws(SessionError) -> [JournalBuild] {
        let others = try await settings.ask { _ throws(JournalError) in try await settings.releases.confirm() }
        if others.isEmpty { await settleResumptions() }
        return others
    }

    private func settleResumptions() async {
        do throws(JournalError) { try await store.settle(settings.releases) } catch {
            settings.observe(.postponed(cause: "\(error)"))
        }
    }

    /// Lets sessions hibernate until they make up for so many bytes, and begins to give their memory back to the system.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that are needed.
    ///   - isUrgent: Pass true if sessions in use may leave, too; freed memory is then given back even if no session left.
    package func makeRoom(of bytes: Int, isUrgent: Bool = false) {
        let time = settings.clock.now().milliseconds &- Self.restTime.milliseconds
        let retired = store.hibernate(bytes: bytes, restingSince: time, others: isUrgent)
        if retired > 0 || isUrgent { reclaim.run() }
    }

    /// After so long without a use a session is at rest: most people's next event comes sooner, and waking one takes less
    /// than a millisecond.
    private static let restTime = Duration.seconds(10)

    /// Sessions that are looked at in one go; the journal serves others in between.
    private static let stretch = 256

    /// Wakes sessions that have something to do: effects that were under way when a process died, and timers.
    ///
    /// On a journal that several servers share, work is claimed instead: before sessions expire, for this server may be the
    /// first in a long time.
    func wakeDue() async throws(JournalError) {
        if let duties { return try await duties.claim() }
        let time = settings.clock.now().milliseconds &+ SessionSettings.foresight.milliseconds
        var unstalled = settings.held.stalled
        var page: [DueSession] = []
        // To the end: those whose effects are under way, and are in memory, come before all timers.
        repeat {
            page = try await settings.journal.due(
                by: time, after: page.last, limit: Self.duePage, for: settings.guilty.build())
            for due in page {
                let id = SessionID(due.key)
                unstalled.remove(id)
                // Without memory they wait for a later sweep.
                guard !settings.gate.refuses(.waking), !Task.isCancelled else { return }
                await wakeDue(id)
            }
        } while page.count == Self.duePage
        settings.held.forgetStalled(unstalled)
    }

    private func wakeDue(_ id: SessionID) async {
        // One that somebody asks for who is not let in is in memory without a use.
        guard store.find(id).map({ $0.lastUse == .min }) ?? true, !settings.held.isStalled(id) else { return }
        guard !settings.releases.isUnwritten(id) else { return }
        do throws(SessionError) {
            try await with(id, lastUsed: settings.clock.now().milliseconds) { session throws(SessionError) in
                _ = try await session.wake(waiting: false, as: .waking)
                // Work that another build has begun, and this one does not, is due for ever.
                if session.ifFree(.arriving, { $0.look { $0.hasWorkSoon } }) == false { settings.held.stall(id) }
            }
        } catch {
            // A failure is told to whoever asks for the session. It comes up again with the next sweep, unless it is on hold
            // by now.
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
            // There may be many, and what is idle in memory must not wait for all of them.
            await hibernateIdle()
        }
    }

    /// Ends sessions all at once, so that they share their commits.
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

    /// Ends a session that nobody has used, or notes when somebody has: the journal knows only when it might be time.
    private func expire(_ candidate: SessionListing, unlessUsedSince time: Int64) async throws(JournalError) {
        let id = SessionID(candidate.key)
        // A damaged record stays as it is, for an operator to look at; it comes up again after as long a time.
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
            // So it comes up again when its time is over.
            return try await touch(heldUntil &- settings.bounds.expiryTime.milliseconds, of: candidate.key)
        }
        do throws(SessionError) {
            let leaks = try await with(id, lastUsed: lastUse) { session throws(SessionError) in
                try await session.end(.expired, unlessUsedSince: time)
            }
            if leaks != nil { settings.observe(.expired(id)) }
        } catch {
            // Ended meanwhile, or not to be read now: the next time will tell.
            try await touch(settings.clock.now().milliseconds, of: candidate.key)
        }
    }

    /// Judges a session that another build may have written last, so that none ends unseen that this build must hold.
    ///
    /// - Returns: True if this build must hold it; nil if nobody can tell now.
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
            // Its build serves, and has no more use for it.
            case .servedElsewhere: return false
            default: return nil
            }
        }
    }

    /// True where a client watches a session here, or an effect of it is under way.
    ///
    /// Among several servers an effect is under way where its owner is; each covers the use of the sessions that it works
    /// for. The header does not tell: nobody may ever do what it waits for.
    private func isInUse(_ id: SessionID, _ head: SessionHeader?, isHeld: Bool, at time: Int64) -> Bool {
        guard !settings.watches.isFollowed(id) else { return true }
        guard !isHeld, !settings.held.isStalled(id) else { return false }
        let isDue = head?.wakeAt.map { $0 <= time } ?? false
        guard let owned = settings.owned, let duties else { return isDue }
        return !owned.pieces(of: id.journalKey).isEmpty || isDue && !duties.areUsesKnown
    }

    private func touch(_ use: Int64, of key: JournalKey) async throws(JournalError) {
        let change = JournalChange(.touch(use), of: key)
        _ = try await settings.submit(change).wait().get()
    }

    private func purgeEnded(at now: Timestamp) async throws(JournalError) {
        let time = now.milliseconds &- settings.bounds.tombstoneTime.milliseconds
        while try await settings.journal.purge(endedBefore: time, limit: Self.stretch) == Self.stretch,
            !Task.isCancelled
        {}
    }

    /// Forgets the oldest ended sessions before their time, where all together have left more than they may.
    private func purgeResidue() async throws(JournalError) {
        while try await settings.journal.residue() > settings.bounds.residueLimit,
            try await settings.journal.purge(endedBefore: .max, limit: Self.residueStretch) > 0, !Task.isCancelled
        {}
    }

    /// Ended sessions that are forgotten in one go where they have left too much; a few may be enough.
    private static let residueStretch = 32
}

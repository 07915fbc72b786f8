import Synchronization
import Usher
import UsherJournal

extension Session {
    /// Builds the tree by replay, or waits for whoever does.
    ///
    /// Not under the lock: a long history holds nobody up but those who want this session.
    ///
    /// - Throws: `SessionError`, why there is no tree.
    func wake() async throws(SessionError) {
        switch life.withLock({ $0.beginWaking() }) {
        case .none: return
        case .waiter:
            if let error = await waitForWaker() { throw error }
        case .waker(let succession):
            let awakening = await timingWaking { await awaken(after: succession) }
            for waiter in life.withLock({ $0.endWaking(awakening, succession, in: self) }) {
                waiter.resume(returning: awakening.error)
            }
            if let error = awakening.error { throw error }
        }
    }

    /// Waits for whoever wakes the session, if anybody does.
    ///
    /// - Returns: Why there is no tree then.
    func waitForWaker() async -> SessionError? {
        await withCheckedContinuation { waiter in
            if !life.withLock({ $0.wait(waiter) }) { waiter.resume(returning: nil) }
        }
    }

    private func awaken(after succession: Succession?) async -> Awakening {
        do throws(JournalError) {
            guard let record = try await settings.journal.record(of: id.journalKey) else { return .failed(.unknown) }
            if let tombstone = Tombstone(record.head) { return .over(tombstone) }
            return await restore(record, after: succession)
        } catch {
            return fail(SessionError(reading: error))
        }
    }

    private func restore(_ record: SessionRecord, after succession: Succession?) async -> Awakening {
        do {
            let replay = Replay(record.entries, apps: settings.apps, limits: settings.bounds.limits)
            let restoration = try await replay.restore(at: settings.clock.now())
            return .live(Sent(live(restoration, record, after: succession)))
        } catch {
            return fail(SessionError(restoring: error))
        }
    }

    private func live(
        _ restoration: consuming sending Restoration, _ record: SessionRecord, after succession: Succession?
    ) -> sending Live {
        app.store(settings.metrics.index(of: record.head.app), ordering: .relaxed)
        let divergence = restoration.divergence
        let entry = restoration.entry
        let forsaken = restoration.forsaken
        let live = Live(
            restoration.tree, head: record.head, id: id, settings: settings, kept: record.head.revision,
            answers: record.answers)
        if let succession { live.succeed(succession) }
        live.tally(after: succession)
        live.note(divergence, entry)
        live.erase(forsaken)
        return live
    }

    private func fail(_ error: SessionError) -> Awakening {
        if case .notRestored(let cause) = error { settings.observe(.unavailable(id, cause: cause)) }
        return .failed(error)
    }
}

extension Live {
    /// Takes the place of a tree that was dropped within this process.
    fileprivate func succeed(_ predecessor: Succession) {
        tree.succeed(
            identifiers: predecessor.identifiers, leaks: predecessor.leaks, count: predecessor.leakCount)
        inquiry = predecessor.inquiry
    }

    /// Puts on record that this build could not follow, and ends what turns out to have ended.
    fileprivate func note(_ divergence: Divergence?, _ entry: Entry?) {
        if let entry, let divergence {
            let bytes = entry.bytes(of: id.journalKey)
            head.revision = entry.revision
            head.bytes += bytes.count
            head.wakeAt = wakeAt
            submit(.append(head, entry: bytes, answer: nil))
            settings.observe(.diverged(id, divergence))
        }
        erase(tree.takeErasableRevisions())
        // A crash between a session's creation and its end in the same input.
        if let ending = tree.ending {
            head = head.ended(.init(ending.reason), at: settings.clock.now())
            submit(.end(head, answer: nil))
        }
    }
}

import Usher
import UsherJSON
import UsherJournal
import UsherProcess

/// A rebuilt tree, and the divergence if this build could not follow the whole record.
struct ReplayResult {
    let tree: Tree
    /// The divergence, if there is one.
    ///
    /// The tree then has the state before the diverging input. The tree's revision is new and follows all recorded
    /// revisions.
    var divergence: Divergence?
    /// The entry that the journal must store for the divergence.
    var entry: Entry?
    /// The revisions of dropped inputs that contain secrets, which no build needs any more.
    var abandoned: [Int] = []
    /// The new ids of screens that clients may see before `entry` is written; `nil` if there are no new ids.
    var reservation: SessionHeader.Reservation?
}

extension Replay {
    /// Rebuilds the tree as far as this build can follow the record.
    ///
    /// - Parameters:
    ///   - time: The current time, for the entry that records a divergence.
    ///   - reservation: The ids that clients have seen in an unwritten resumption.
    /// - Throws: An error if this build cannot even start the session.
    func restore(
        at time: Timestamp, beyond reservation: SessionHeader.Reservation? = nil
    ) async throws -> sending ReplayResult {
        let history = try EffectiveHistory(entries)
        let response = try entries.first.map { try creation($0).app.onDivergence } ?? .holdIfLossy
        do {
            let tree = try await tree(along: history, isForced: response == .resume)
            if let reservation { tree.advance(to: NextIdentifiers(reservation.after)) }
            return ReplayResult(tree: tree, abandoned: abandoned(by: history))
        } catch let divergence as Divergence {
            return try await resume(history, divergence, by: response, at: time, beyond: reservation)
        }
    }

    /// Checks that the session may resume at an earlier revision.
    ///
    /// - Throws: `ReplayError.losesFacts` if the session may not resume.
    private func check(
        _ response: DivergenceResponse, allows divergence: Divergence, in history: EffectiveHistory
    ) throws {
        if response == .resume { return }
        let dropped = try DroppedPart(of: history, from: divergence.revision).losses
        let losses = [divergence.loss].compactMap { $0 }.filter { !dropped.contains($0) } + dropped
        if response == .hold || response == .end || !losses.isEmpty { throw ReplayError.losesFacts(divergence, losses) }
    }

    /// Rebuilds the tree at an earlier revision, and resumes the session there.
    ///
    /// - Parameters:
    ///   - revision: The revision.
    ///   - divergence: The entry that this build cannot replay.
    ///   - time: The current time, for the entry that records the divergence.
    ///   - reservation: The ids that clients have seen in an unwritten resumption.
    /// - Throws: An error if this build cannot even start the session.
    func restore(
        from revision: Int, past divergence: Divergence, at time: Timestamp,
        beyond reservation: SessionHeader.Reservation? = nil
    ) async throws -> sending ReplayResult {
        let history = try EffectiveHistory(entries)
        return try await resume(
            history, divergence, before: revision + 1, by: .resume, at: time, beyond: reservation)
    }

    /// Returns the entry of a revision; `nil` if a replay leaves out that entry.
    func followed(_ revision: Int) throws(JSONError) -> Entry? {
        try EffectiveHistory(entries).entries.first { $0.revision == revision }
    }

    /// Rebuilds the tree from the part of a history that this build can follow.
    ///
    /// Each further divergence shortens this part. Coordinators that are not deterministic may diverge at another input
    /// each time.
    private func resume(
        _ whole: EffectiveHistory, _ divergence: Divergence, before revision: Int? = nil,
        by response: DivergenceResponse, at time: Timestamp, beyond reservation: SessionHeader.Reservation?
    ) async throws -> sending ReplayResult {
        try check(response, allows: divergence, in: whole)
        var revision = revision ?? divergence.revision
        var refusal: String?
        let taken = NextIdentifiers(taking: entries)
        // Uses the ids of the last unwritten resumption again, if no other build has written since.
        var shown = reservation.flatMap { $0.build == build && $0.before.screen >= taken.screen ? $0 : nil }
        while true {
            let free =
                shown.map { NextIdentifiers($0.before) } ?? NextIdentifiers(taking: entries, besides: reservation)
            let history = whole.before(revision, elseAnewFrom: free)
            do {
                let tree = try await tree(along: history, isForced: response == .resume)
                let agreed = history.agreedRevision
                let part = try DroppedPart(of: whole, from: (history.entries.last?.revision ?? 0) + 1)
                let resumption = Resumption(
                    after: agreed, reason: divergence.description, dropped: part.told,
                    refusal: refusal)
                let entry: Entry
                do throws(Rejection) {
                    entry = try resume(tree, resumption, without: part.ended, at: time, from: free)
                } catch {
                    // With a refusal, the next attempt does not call the root coordinator's `didResume(dropped:)`.
                    refusal = error.reason
                    continue
                }
                if let known = shown, known.digest != entry.digest {
                    // Clients have seen other screens with these ids, so the next attempt uses new ids.
                    shown = nil
                    continue
                }
                if let reservation { tree.advance(to: NextIdentifiers(reservation.after)) }
                let isNew = entry.after.screen > taken.screen
                return ReplayResult(
                    tree: tree, divergence: divergence, entry: entry, abandoned: abandoned(by: history),
                    reservation: isNew ? SessionHeader.Reservation(of: entry, by: build) : nil)
            } catch let next as Divergence {
                try check(response, allows: next, in: whole)
                (revision, refusal) = (next.revision, nil)
            }
        }
    }

    /// Resumes a tree at the revision after the newest entry, and returns the entry that records the resumption.
    ///
    /// - Throws: `Rejection` if the root coordinator rejects the resumption; the tree is then unusable.
    private func resume(
        _ tree: Tree, _ resumption: Resumption, without ended: Set<EffectID>, at time: Timestamp,
        from free: NextIdentifiers
    ) throws(Rejection) -> Entry {
        let newest = entries.last?.revision ?? 0
        var identifiers = free
        // If the session begins anew, the ids must be the same in each replay, so this ignores the tree's own ids.
        if resumption.revision > 0 { identifiers.advance(to: tree.identifiers) }
        // The app's code runs in `tree.resume`. If the code crashes the process, the newest entry counts as guilty.
        flight?.begin(.replay, at: newest)
        defer { flight?.end() }
        tree.discardWork(ended)
        try tree.resume(at: newest + 1, identifiers: identifiers, as: resumption, time: time)
        return Entry(
            .divergence, revision: newest + 1, time: time.milliseconds, before: .init(identifiers),
            after: .init(tree.identifiers), digest: tree.digest, visible: tree.visibleScreen, payload: resumption.json,
            facts: StepFacts(resuming: tree, build: build, without: ended).json)
    }

    private func abandoned(by history: EffectiveHistory) -> [Int] {
        let followed = Set(history.entries.map(\.revision))
        return entries.filter { !$0.secrets.isEmpty && !$0.isErased && !followed.contains($0.revision) }.map(\.revision)
    }
}

extension NextIdentifiers {
    /// Creates the ids that are free after some entries and a reservation.
    fileprivate init(taking entries: [Entry], besides reservation: SessionHeader.Reservation? = nil) {
        self.init()
        for entry in entries { advance(to: NextIdentifiers(entry.after)) }
        if let reservation { advance(to: NextIdentifiers(reservation.after)) }
    }
}

import Synchronization
import Usher
import UsherJournal

extension Session {
    /// Finds out, off the request, who holds leaks: replays the session into a scratch tree and takes that apart.
    func lookInto(_ leaks: [Leak]) {
        guard let revision = leaks.first?.revision, life.withLock({ $0.beginInquiry(into: leaks) }) else { return }
        settings.background { [settings, id, weak self] in
            guard let record = try? await settings.journal.record(of: id.journalKey) else { return }
            let replay = Replay(
                record.entries.prefix(revision), apps: settings.apps, limits: settings.bounds.limits)
            guard let scratch = try? await replay.tree() else { return }
            let holders = scratch.findHolders()
            self?.life.withLock { $0.endInquiry(into: leaks, holders: holders) }
        }
    }
}

extension SessionLife {
    /// Begins to look into leaks: notes what is known of them already.
    ///
    /// - Returns: Whether there is anything to find out.
    fileprivate mutating func beginInquiry(into leaks: [Leak]) -> Bool {
        look { live in
            for leak in leaks {
                if let holder = live.inquiry.holder(of: leak) { live.tree.note(holder: holder, ofLeaksLike: leak) }
            }
            return live.inquiry.begin(leaks)
        } ?? false
    }

    /// Notes what an inquiry has found, also for leaks that have come meanwhile.
    fileprivate mutating func endInquiry(into leaks: [Leak], holders: [String?]) {
        _ = look { live in
            for (leak, holder) in zip(leaks, holders) {
                guard let holder else { continue }
                live.inquiry.end(leak, holder: holder)
                live.tree.note(holder: holder, ofLeaksLike: leak)
            }
        }
    }
}

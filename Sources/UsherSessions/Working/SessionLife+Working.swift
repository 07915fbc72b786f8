import Usher
import UsherJournal

extension SessionLife {
    /// Does what has to be done once a revision is kept.
    mutating func noteKept(_ revision: Int, in session: Session) {
        ongoing.noteKept(revision)
        session.settings.watches.show(ongoing.takeSeen(), of: session.id)
        switch phase {
        case .live(let live) where !live.tail.isBroken:
            let (salt, app) = (live.head.salt, live.head.app)
            ongoing.run(live.tree.work) { session.begin($0, salt: salt, app: app) }
        case .over(let ending) where ending.isKept: stop(in: session)
        case .cold, .waking, .live, .over, .retired: break
        }
    }

    /// Ends what goes on, for the session is over.
    func stop(in session: Session) {
        ongoing.stop()
        session.settings.watches.end(session.id)
    }
}

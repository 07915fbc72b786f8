import Usher

extension SessionLife {
    /// Begins to look into leaks: notes what is known of them already.
    ///
    /// - Returns: What to replay to find out more; nil where nothing is to be found.
    mutating func beginInquiry(into leaks: [Leak]) -> Recording? {
        guard let live, let revision = leaks.first?.revision else { return nil }
        switch inquiry.begin(leaks) {
        case .open: return live.recording
        case .known(let holders):
            live.tree.note(holders: holders, ofLeaksAt: revision)
            return nil
        }
    }

    /// Notes what an inquiry has found.
    mutating func endInquiry(into leaks: [Leak], holders: [String?]) {
        guard let revision = leaks.first?.revision else { return }
        inquiry.end(leaks, holders: holders)
        live?.tree.note(holders: holders, ofLeaksAt: revision)
    }
}

import Usher

extension SessionLife {
    /// Begins to look into leaks: notes what is known of them already.
    ///
    /// - Returns: What to replay to find out more; nil where nothing is to be found.
    mutating func beginInquiry(into leaks: [Leak]) -> Recording? {
        guard let live else { return nil }
        for leak in leaks {
            if let holder = inquiry.holder(of: leak) { live.tree.note(holder: holder, ofLeaksLike: leak) }
        }
        return inquiry.begin(leaks) ? live.recording : nil
    }

    /// Notes what an inquiry has found, also for leaks that have come meanwhile.
    mutating func endInquiry(into leaks: [Leak], holders: [String?]) {
        for (leak, holder) in zip(leaks, holders) {
            guard let holder else { continue }
            inquiry.end(leak, holder: holder)
            live?.tree.note(holder: holder, ofLeaksLike: leak)
        }
    }
}

import UsherJournal

extension SessionStore {
    /// Writes the confirmed resumptions, and drops the tree of each session whose former build has a running server
    /// again.
    ///
    /// - Throws: `JournalError` if the builds that use the journal cannot be read.
    func settle(_ releases: Releases) async throws(JournalError) {
        try await releases.refresh()
        let (written, refused) = releases.decided
        for id in refused {
            await find(id)?.locked { $0.drop() }
            releases.removeUnwritten(id)
        }
        for start in stride(from: 0, to: written.count, by: Self.batch) {
            await withTaskGroup(of: Void.self) { group in
                for id in written[start..<min(start + Self.batch, written.count)] {
                    // If the session is not in memory, its resumption is written when it wakes.
                    guard let session = find(id) else {
                        releases.removeUnwritten(id)
                        continue
                    }
                    group.addTask { await session.confirmResumption() }
                }
            }
        }
    }

    /// The number of resumptions that are written at once.
    private static let batch = 256
}

extension Tree {
    /// Ends the session from outside: everything leaves, nobody is told.
    ///
    /// - Returns: What did not leave memory.
    @discardableResult
    public func end() -> [Leak] {
        let known = leaks.count
        empty()
        judge()
        return Array(leaks[known...])
    }

    /// The leak verdict: whatever left in this input must be dead by now, for the handler's frames are closed.
    func judge() {
        if ending != nil { root = nil }
        guard !departed.isEmpty else { return }
        let found = departed.compactMap { $0.leak(revision: revision) }
        departed.removeAll()
        leaks += found
        census.leaked += found.count
    }

    /// Takes every coordinator and every screen out of the tree.
    func empty() {
        if let top = root?.node { dismantle(top) }
        root = nil
        suspects.removeAll()
    }
}

extension Tree {
    /// Ends the session from outside: everything leaves, nobody is told.
    ///
    /// - Returns: What did not leave memory.
    @discardableResult
    public func end() -> [Leak] {
        let known = leaks.count
        empty()
        judge(after: "delete")
        return Array(leaks[known...])
    }

    /// The leak verdict: whatever left in this input must be dead by now, for the handler's frames are closed.
    ///
    /// - Parameter input: What the input was.
    func judge(after input: @autoclosure () -> String) {
        if ending != nil { root = nil }
        lingering = departed.filter(\.isAlive)
        departed.removeAll()
        guard !lingering.isEmpty else { return }
        disregardKept()
        let input = input()
        let found = lingering.compactMap { $0.leak(revision: revision, input: input) }
        // All are counted; the list is in every answer, and must not grow for ever.
        leaks += found.prefix(max(0, Self.leakLimit - leaks.count))
        census.leaked += found.count
    }

    /// Leaks of a session that are told one by one.
    private static let leakLimit = 64

    /// A view model may go with one screen and stay with another, or go with two at once.
    private func disregardKept() {
        var known = Set(window.screens.compactMap(\.kept).map { ObjectIdentifier($0) })
        lingering = lingering.filter { departed in
            departed.object.map { known.insert(ObjectIdentifier($0)).inserted } ?? false
        }
    }

    /// Takes every coordinator and every screen out of the tree.
    func empty() {
        if let top = root?.node { dismantle(top) }
        root = nil
        _ = takeSuspects()
    }

    /// Takes the place of a tree that was dropped: ids that it has spent stay spent, and its leaks stay what was found
    /// out about them.
    ///
    /// - Parameters:
    ///   - identifiers: The ids that were free when it was dropped.
    ///   - leaks: What it knew of its leaks; those of inputs that were undone are left out.
    ///   - count: How many it had counted before these.
    public func succeed(identifiers: NextIdentifiers, leaks: [Leak], count: Int) {
        advance(to: identifiers)
        self.leaks = leaks.filter { $0.revision <= revision }
        // Beyond those that are listed it is not known which inputs they came from.
        census.leaked = count == leaks.count ? self.leaks.count : count
    }

    /// Notes who holds the leaks of a type that inputs of a kind have left, where that is not known yet.
    ///
    /// - Parameters:
    ///   - holder: A stored property's path, or a closure by its file and line.
    ///   - leak: One of these leaks.
    public func note(holder: String, ofLeaksLike leak: Leak) {
        for index in leaks.indices where leaks[index].type == leak.type && leaks[index].input == leak.input {
            leaks[index].holder = leaks[index].holder ?? holder
        }
    }
}

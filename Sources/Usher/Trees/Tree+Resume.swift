extension Tree {
    /// The visible screen's name and id, such as `login 5`; empty where there is none.
    ///
    /// For people: it names where an input led without telling the screen's state.
    public var visibleScreen: String {
        visible.map { $0.name + " " + String($0.id) } ?? ""
    }

    /// Goes on at a later revision: what lay between cannot be followed by this build.
    ///
    /// - Parameters:
    ///   - revision: The revision that the tree shows from now on; revisions never go back.
    ///   - identifiers: Ids that no new screen or coordinator may get.
    ///   - warning: What the client is told until the next input.
    public func resume(at revision: Int, identifiers: NextIdentifiers, warning: String) {
        advance(to: identifiers)
        self.revision = max(self.revision, revision)
        changeLog = ChangeLog()
        warnings.clear()
        warnings.add(warning)
    }
}

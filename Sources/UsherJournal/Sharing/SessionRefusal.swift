/// A session that a build has left to the build that wrote it, because it would serve the session differently.
package struct SessionRefusal: Equatable, Sendable {
    /// The session.
    package let key: JournalKey
    /// The build that has left it.
    package let build: UInt64
    /// The build that wrote it.
    package let writer: UInt64

    /// Makes a refusal.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - build: The build that has left it.
    ///   - writer: The build that wrote it.
    package init(of key: JournalKey, by build: UInt64, writtenBy writer: UInt64) {
        self.key = key
        self.build = build
        self.writer = writer
    }
}

/// The number of sessions that a build has left to another.
package struct RefusalCount: Equatable, Sendable {
    /// The build that has left them.
    package let build: UInt64
    /// The build that wrote them.
    package let writer: UInt64
    /// The number of sessions that have not ended.
    package let sessions: Int

    /// Makes a count.
    ///
    /// - Parameters:
    ///   - build: The build that has left them.
    ///   - writer: The build that wrote them.
    ///   - sessions: The number of sessions that have not ended.
    package init(by build: UInt64, writtenBy writer: UInt64, sessions: Int) {
        self.build = build
        self.writer = writer
        self.sessions = sessions
    }
}

/// A session that a build has left to its writer, because the build would serve the session differently.
package struct SessionRefusal: Equatable, Sendable {
    /// The session.
    package let key: JournalKey
    /// The build that has left the session.
    package let build: UInt64
    /// The build that wrote the session.
    package let writer: UInt64

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - build: The build that has left the session.
    ///   - writer: The build that wrote the session.
    package init(of key: JournalKey, by build: UInt64, writtenBy writer: UInt64) {
        self.key = key
        self.build = build
        self.writer = writer
    }
}

/// The number of sessions that a build has left to another.
package struct RefusalCount: Equatable, Sendable {
    /// The build that has left the sessions.
    package let build: UInt64
    /// The build that wrote the sessions.
    package let writer: UInt64
    /// The number of these sessions that have not ended.
    package let sessions: Int

    /// Creates a count.
    ///
    /// - Parameters:
    ///   - build: The build that has left the sessions.
    ///   - writer: The build that wrote the sessions.
    ///   - sessions: The number of these sessions that have not ended.
    package init(by build: UInt64, writtenBy writer: UInt64, sessions: Int) {
        self.build = build
        self.writer = writer
        self.sessions = sessions
    }
}

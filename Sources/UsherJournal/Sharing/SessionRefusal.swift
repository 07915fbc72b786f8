/// A session that a build leaves to the build that wrote the session, because it would serve the session differently.
package struct SessionRefusal: Equatable, Sendable {
    package let key: JournalKey
    /// The build that leaves the session.
    package let build: UInt64
    /// The build that wrote the session.
    package let writer: UInt64

    package init(of key: JournalKey, by build: UInt64, writtenBy writer: UInt64) {
        self.key = key
        self.build = build
        self.writer = writer
    }
}

/// The number of sessions that one build leaves to another build.
package struct RefusalCount: Equatable, Sendable {
    /// The build that leaves the sessions.
    package let build: UInt64
    /// The build that wrote the sessions.
    package let writer: UInt64
    /// The number of these sessions that have not ended.
    package let sessions: Int

    package init(by build: UInt64, writtenBy writer: UInt64, sessions: Int) {
        self.build = build
        self.writer = writer
        self.sessions = sessions
    }
}

/// A build that serves a journal, or has served it.
package struct JournalBuild: Equatable, Sendable {
    /// The digest of its executable.
    package let number: UInt64
    /// The newest time at which a server of it is known to have been at work: milliseconds since 1970.
    package var seen: Int64
    /// The newest time at which an operator confirmed its release: milliseconds since 1970; nil if none has.
    package var confirmed: Int64?
    /// A Boolean value indicating whether a server of it is at work beside the one that asks; false where there can be none.
    package var isServing: Bool

    /// Makes a build's description.
    ///
    /// - Parameters:
    ///   - number: The digest of its executable.
    ///   - seen: The newest time at which a server of it is known to have been at work: milliseconds since 1970.
    ///   - confirmed: The newest time at which an operator confirmed its release: milliseconds since 1970; nil if none has.
    ///   - isServing: Set if a server of it is at work.
    package init(_ number: UInt64, seen: Int64, confirmed: Int64? = nil, isServing: Bool = false) {
        self.number = number
        self.seen = seen
        self.confirmed = confirmed
        self.isServing = isServing
    }
}

/// A session that a build cannot follow and leaves to the build that wrote it.
package struct SessionRefusal: Equatable, Sendable {
    /// The session.
    package let key: JournalKey
    /// The build that cannot follow it.
    package let build: UInt64
    /// The build that wrote it.
    package let writer: UInt64

    /// Makes a refusal.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - build: The build that cannot follow it.
    ///   - writer: The build that wrote it.
    package init(of key: JournalKey, by build: UInt64, writtenBy writer: UInt64) {
        self.key = key
        self.build = build
        self.writer = writer
    }
}

/// The number of sessions that one build leaves to another.
package struct RefusalCount: Equatable, Sendable {
    /// The build that cannot follow them.
    package let build: UInt64
    /// The build that wrote them.
    package let writer: UInt64
    /// The number of sessions that have not ended.
    package let sessions: Int

    /// Makes a count.
    ///
    /// - Parameters:
    ///   - build: The build that cannot follow them.
    ///   - writer: The build that wrote them.
    ///   - sessions: The number of sessions that have not ended.
    package init(by build: UInt64, writtenBy writer: UInt64, sessions: Int) {
        self.build = build
        self.writer = writer
        self.sessions = sessions
    }
}

/// The builds of a journal that keeps them in memory.
package struct JournalBuildList: Sendable {
    private var builds: [UInt64: JournalBuild] = [:]

    /// Makes an empty list.
    package init() {}

    /// The builds, in the order of their numbers.
    package var all: [JournalBuild] { builds.values.sorted { $0.number < $1.number } }

    /// Notes a build, as `Journal.note(_:at:isConfirmed:)` does.
    ///
    /// - Parameters:
    ///   - number: The digest of its executable.
    ///   - time: Milliseconds since 1970.
    ///   - isConfirmed: Pass true if an operator has confirmed its release.
    package mutating func note(_ number: UInt64, at time: Int64, isConfirmed: Bool) {
        var build = builds[number] ?? JournalBuild(number, seen: time)
        build.seen = max(build.seen, time)
        if isConfirmed { build.confirmed = max(build.confirmed ?? time, time) }
        builds[number] = build
    }
}

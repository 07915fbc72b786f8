/// A build whose servers use, or have used, a journal.
package struct JournalBuild: Equatable, Sendable {
    /// The digest of its executable.
    package let number: UInt64
    /// The last time at which the journal recorded that a server of the build was running: milliseconds since 1970.
    package var seen: Int64
    /// The last time at which an operator confirmed the build's release: milliseconds since 1970; nil if never.
    package var confirmed: Int64?
    /// A Boolean value indicating whether a server of the build is running; false if the journal allows only one server.
    package var isServing: Bool

    /// Makes a build's description.
    ///
    /// - Parameters:
    ///   - number: The digest of its executable.
    ///   - seen: The last time at which the journal recorded that a server of the build was running: milliseconds since 1970.
    ///   - confirmed: The last time at which an operator confirmed its release: milliseconds since 1970; nil if never.
    ///   - isServing: Pass true if a server of the build is running.
    package init(_ number: UInt64, seen: Int64, confirmed: Int64? = nil, isServing: Bool = false) {
        self.number = number
        self.seen = seen
        self.confirmed = confirmed
        self.isServing = isServing
    }
}

/// The builds that have used a journal in memory.
package struct JournalBuildList: Sendable {
    private var builds: [UInt64: JournalBuild] = [:]

    /// Makes an empty list.
    package init() {}

    /// The builds, in the order of their numbers.
    package var all: [JournalBuild] { builds.values.sorted { $0.number < $1.number } }

    /// Records that a build is running, as `Journal.note(_:at:isConfirmed:)` does.
    ///
    /// - Parameters:
    ///   - number: The digest of its executable.
    ///   - time: Milliseconds since 1970.
    ///   - isConfirmed: Pass true if an operator confirms its release.
    package mutating func note(_ number: UInt64, at time: Int64, isConfirmed: Bool) {
        var build = builds[number] ?? JournalBuild(number, seen: time)
        build.seen = max(build.seen, time)
        if isConfirmed { build.confirmed = max(build.confirmed ?? time, time) }
        builds[number] = build
    }
}

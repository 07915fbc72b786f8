/// A build whose servers use or have used a journal.
package struct JournalBuild: Equatable, Sendable {
    /// The digest of the build's executable.
    package let number: UInt64
    /// The last time when a server of the build was recorded as running, in milliseconds since 1970.
    package var seen: Int64
    /// The last time when an operator confirmed the build's release, in milliseconds since 1970; nil if there is none.
    package var confirmed: Int64?
    /// A Boolean value that indicates whether a server of the build is running; always `false` in a journal for one
    /// server.
    package var isServing: Bool

    package init(_ number: UInt64, seen: Int64, confirmed: Int64? = nil, isServing: Bool = false) {
        self.number = number
        self.seen = seen
        self.confirmed = confirmed
        self.isServing = isServing
    }
}

package struct JournalBuildList: Sendable {
    private var builds: [UInt64: JournalBuild] = [:]

    package init() {}

    /// The builds, in the order of their numbers.
    package var all: [JournalBuild] { builds.values.sorted { $0.number < $1.number } }

    /// Records that a build is running, as `Journal.note(_:at:isConfirmed:)` does.
    package mutating func note(_ number: UInt64, at time: Int64, isConfirmed: Bool) {
        var build = builds[number] ?? JournalBuild(number, seen: time)
        build.seen = max(build.seen, time)
        if isConfirmed { build.confirmed = max(build.confirmed ?? time, time) }
        builds[number] = build
    }
}

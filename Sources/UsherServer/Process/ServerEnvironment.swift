package import Usher
package import UsherExploration
package import UsherProcess
package import UsherSessions

/// The environment of a server: all that decides what it does, and is neither an input nor its journal.
///
/// It is the system's, but in a simulation, which decides all of it from one seed.
package struct ServerEnvironment: Sendable {
    /// The time of the inputs, and of all that waits.
    package var clock: any Clock
    /// The source of ids and seeds.
    package var random: any RandomSource
    /// The threads of what would hold those of requests.
    package var threads: SessionThreads
    /// Reads the memory in use, of which nil is unknown; what the options say counts where it is nil.
    package var usedMemory: (@Sendable () -> MemoryUse?)?
    /// Begins to give freed memory back to the system.
    package var giveBack: @Sendable () -> Void
    /// Makes the place where an app's inputs are tried for its map; children of this process where it is nil.
    package var probes: (@Sendable (any App.Type) -> any ProbePlace)?

    /// Makes an environment; the system's unless told.
    ///
    /// - Parameters:
    ///   - clock: The time of the inputs, and of all that waits.
    ///   - random: The source of ids and seeds.
    ///   - threads: The threads of what would hold those of requests.
    ///   - usedMemory: Reads the memory in use.
    ///   - giveBack: Begins to give freed memory back to the system.
    ///   - probes: Makes the place where an app's inputs are tried for its map.
    package init(
        clock: any Clock = SystemClock(), random: any RandomSource = SystemRandom(),
        threads: SessionThreads = SessionThreads(), usedMemory: (@Sendable () -> MemoryUse?)? = nil,
        giveBack: @escaping @Sendable () -> Void = { HeapMemory.trim() },
        probes: (@Sendable (any App.Type) -> any ProbePlace)? = nil
    ) {
        self.clock = clock
        self.random = random
        self.threads = threads
        self.usedMemory = usedMemory
        self.giveBack = giveBack
        self.probes = probes
    }
}

/// The machine's clock.
package struct SystemClock: Clock {
    /// Makes the clock; all are alike.
    package init() {}

    /// The time of day.
    package func now() -> Timestamp {
        Timestamp(milliseconds: WallTime.milliseconds())
    }

    /// Waits for a time of day.
    package func sleep(until time: Timestamp) async throws {
        // In steps, for the time of day may be set meanwhile.
        while case let rest = time.milliseconds &- WallTime.milliseconds(), rest > 0 {
            try await Task.sleep(for: .milliseconds(min(rest, 60_000)))
        }
    }

    /// Milliseconds since the machine started.
    package var uptime: Int64 { UptimeClock.milliseconds }

    /// Waits for an uptime.
    package func sleep(untilUptime uptime: Int64) async throws {
        while case let rest = uptime &- self.uptime, rest > 0 { try await Task.sleep(for: .milliseconds(rest)) }
    }
}

package import Usher
package import UsherExploration
package import UsherProcess
package import UsherSessions

/// Everything besides inputs and the journal that determines what a server does.
///
/// By default, the environment is the real system. A simulation derives all of it from one seed.
package struct ServerEnvironment: Sendable {
    /// The clock of inputs and timers.
    package var clock: any Clock
    /// The source of ids and seeds.
    package var random: any RandomSource
    /// The threads for work that could block the threads of requests.
    package var threads: SessionThreads
    /// Returns the memory in use, or nil if it is unknown; if the property is nil, the memory is read as the options
    /// say.
    package var usedMemory: (@Sendable () -> MemoryUse?)?
    /// Starts to return freed memory to the system.
    package var giveBack: @Sendable () -> Void
    /// Creates the place where an app's inputs are tried for its map; if the property is nil, child processes are used.
    package var probes: (@Sendable (any App.Type) -> any ProbePlace)?

    /// Creates an environment; by default, that of the system.
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

package struct SystemClock: Clock {
    /// Creates the clock; all instances are equivalent.
    package init() {}

    package func now() -> Timestamp {
        Timestamp(milliseconds: WallTime.milliseconds())
    }

    package func sleep(until time: Timestamp) async throws {
        // Waits in steps, because the time of day may be set meanwhile.
        while case let rest = time.milliseconds &- WallTime.milliseconds(), rest > 0 {
            try await Task.sleep(for: .milliseconds(min(rest, 60_000)))
        }
    }

    package var uptime: Int64 { UptimeClock.milliseconds }

    package func sleep(untilUptime uptime: Int64) async throws {
        while case let rest = uptime &- self.uptime, rest > 0 { try await Task.sleep(for: .milliseconds(rest)) }
    }
}

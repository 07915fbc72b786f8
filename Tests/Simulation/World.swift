/// The world of a simulation: a server, its clients, and all faults.
final class World: @unchecked Sendable {  // because all runs on the scheduler's one thread
    private let scheduler: Scheduler
    private let server: SimulatedServer
    /// The clock of the clients and of the service manager, which outlives every process.
    private let clock: SimulatedClock
    private var isCalm = false
    /// The builds that the server may run.
    private let builds: [SimulatedChange]

    init(_ scheduler: Scheduler, bug: PlantedBug?) throws {
        self.scheduler = scheduler
        let isReal = bug == .lostSync || bug == nil && scheduler.oneIn(3)
        let disk: any SimulatedDisk =
            isReal ? try SQLiteDisk(scheduler, bug: bug) : DictionaryDisk(scheduler, bug: bug)
        server = SimulatedServer(scheduler, disk, bug: bug)
        builds = Self.builds(scheduler)
        clock = SimulatedClock(scheduler)
        Backend.current.reset(bug: bug) { [weak server] in server?.trap() }
        server.afterDeath = { [weak self] in
            guard let self else { return }
            Task.detached { await self.comeBack() }
        }
    }

    /// Chooses the builds: only the first build in half of the simulations, otherwise some builds.
    ///
    /// In half of these, users do not see the builds' changes.
    private static func builds(_ scheduler: Scheduler) -> [SimulatedChange] {
        guard scheduler.oneIn(2) else { return [.none] }
        let changes = scheduler.oneIn(2) ? SimulatedChange.unseen : SimulatedChange.allCases
        return Array(changes.shuffled(using: &scheduler.random).prefix(Int(scheduler.number(in: 2...4))))
    }

    /// Lets clients use the server while faults occur, and finally compares the sessions with the histories.
    func play() async throws {
        server.change = builds[0]
        server.start()
        let trapsOneIn = scheduler.oneIn(3) ? Int(scheduler.number(in: 3...12)) : nil
        befall()
        let sessions = (0..<Int.random(in: 1...3, using: &scheduler.random)).map {
            SharedSession($0, mayResume: !SimulatedChange.isUnseen(in: builds))
        }
        let clients = (0..<Int.random(in: 2...5, using: &scheduler.random)).map { name in
            SimulatedClient(name, sessions[name % sessions.count], server, scheduler, clock)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { try await client.run(steps: 12, trapsOneIn: trapsOneIn) } }
            try await group.waitForAll()
        }
        try await compare(sessions)
    }

    /// Ends everything.
    func end() {
        isCalm = true
        server.close()
        clock.stop()
    }

    /// Checks that all acknowledged events are there, before and after a last crash, and that nothing waits any more.
    private func compare(_ sessions: [SharedSession]) async throws {
        calm()
        for isAfterCrash in [false, true] {
            if isAfterCrash { await restart() }
            for session in sessions {
                try await SimulatedClient(99, session, server, scheduler, clock).settle(among: builds)
            }
        }
        try await clock.rest(milliseconds: 120_000)
        if let contradiction = Backend.current.contradiction { throw contradiction }
        let loads = try await server.loads()
        guard loads == (0, 0) else {
            throw Contradiction("after two idle minutes \(loads.awake) sessions are awake, \(loads.watchers) watched")
        }
    }

    /// Ends all faults.
    private func calm() {
        isCalm = true
        server.mishaps = DiskMishaps()
        server.memory = 10
        // Work that was started while the time of day was ahead is then due.
        scheduler.skew = scheduler.farthestSkew
    }

    // MARK: Mishaps

    /// Chooses the faults of this server.
    ///
    /// They are new builds, failing disks, kills during a commit or between two steps, changes of the time of day, and
    /// scarce memory.
    private func befall() {
        if scheduler.oneIn(3) { server.mishaps.failsOneIn = Int(scheduler.number(in: 5...40)) }
        if scheduler.oneIn(2) { server.mishaps.killsOneIn = Int(scheduler.number(in: 5...60)) }
        if scheduler.oneIn(2) || builds.count > 1 { again(upTo: 20_000) { await self.restart() } }
        if scheduler.oneIn(4) { again(upTo: 30_000) { self.setTime() } }
        if scheduler.oneIn(4) { again(upTo: 10_000) { self.changeMemory() } }
    }

    /// Repeats an action at random times until the end.
    private func again(upTo limit: Int64, _ body: @escaping @Sendable () async -> Void) {
        Task.detached { [self] in
            while true {
                try? await clock.rest(milliseconds: scheduler.number(in: 100...limit))
                guard !isCalm else { return }
                await body()
            }
        }
    }

    /// Sets the time of day ahead by minutes or days, or back.
    private func setTime() {
        let steps: [Int64] = [0, 0, -90_000, 120_000, 3_600_000, 2 * 24 * 3_600_000]
        scheduler.skew = steps.randomElement(using: &scheduler.random) ?? 0
        scheduler.tell("the time of day is set by \(scheduler.skew) ms")
    }

    private func changeMemory() {
        server.memory = [10, 10, 75, 82, 92, 97].randomElement(using: &scheduler.random) ?? 10
        scheduler.tell("\(server.memory) % of the memory is in use")
    }

    private func restart() async {
        server.kill()
        await comeBack()
    }

    private func comeBack() async {
        try? await clock.rest(upTo: 500)
        if !isCalm, let build = builds.randomElement(using: &scheduler.random) { server.change = build }
        server.start()
    }
}

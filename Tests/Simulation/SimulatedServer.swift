import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

@testable import UsherServer

/// A server of a simulation: a series of processes on one disk, each of which may be killed at any time.
final class SimulatedServer: @unchecked Sendable {  // because all runs on the scheduler's one thread
    private let scheduler: Scheduler
    private let disk: any SimulatedDisk
    private let bug: PlantedBug?
    private var process: Process?
    /// Whether no process may start any more.
    private var isClosed = false
    /// The marks that the previous process has left in the flight record.
    private var remains: [FlightMark] = []
    /// The disk's faults, for this process and the following ones.
    var mishaps = DiskMishaps() {
        didSet { process?.storage.mishaps = mishaps }
    }
    /// The used memory, in percent of the budget.
    var memory = 10 {
        didSet { process?.application.memory.look() }
    }
    /// The build of the next process.
    var change = SimulatedChange.none
    /// Called after a process has ended by a trap or during a commit.
    var afterDeath: () -> Void = {}
    /// The error because of which no process can start any more.
    private(set) var failure: (any Error)?
    /// Whether a process has started while the time of day was set far ahead, so that sessions may expire.
    private(set) var startsAhead = false

    /// The operator's token.
    private static let token = "the-operator-of-simulation"
    private static let budget = 1 << 30
    /// The milliseconds by which the time of day must be set ahead for sessions to expire.
    private static let farAhead: Int64 = 20 * 3_600_000

    /// One run of the server.
    private final class Process: @unchecked Sendable {  // because all runs on the scheduler's one thread
        let application: Application
        let clock: SimulatedClock
        let storage: MortalStorage
        let flight: FlightRecord
        /// The marks of the previous process, until this process has recovered from them and serves.
        var remains: [FlightMark]?
        var requests: [Int: (Response?) -> Void] = [:]
        var next = 0

        init(
            _ application: Application, _ clock: SimulatedClock, _ storage: MortalStorage, _ flight: FlightRecord,
            _ remains: [FlightMark]
        ) {
            self.application = application
            self.clock = clock
            self.storage = storage
            self.flight = flight
            self.remains = remains
        }
    }

    init(_ scheduler: Scheduler, _ disk: any SimulatedDisk, bug: PlantedBug?) {
        self.scheduler = scheduler
        self.disk = disk
        self.bug = bug
    }

    /// Ends the process, and starts no other.
    func close() {
        isClosed = true
        kill()
    }

    /// Starts a process, unless there is one.
    func start() {
        guard process == nil, !isClosed else { return }
        scheduler.tell("start of the build \(change)")
        do { try makeProcess() } catch { failure = error }
    }

    private func makeProcess() throws {
        if scheduler.skew >= Self.farAhead { startsAhead = true }
        let (opened, count) = try disk.open()
        let storage = MortalStorage(opened, on: disk, scheduler)
        storage.mishaps = mishaps
        storage.kill = { [weak self] in
            self?.die(isCommitting: true)
            self?.afterDeath()
        }
        let clock = SimulatedClock(scheduler, forgetsOneIn: bug == .leakedWait ? 20 : nil)
        let (journal, step) = BatchedJournal.stepping(storage, holding: count) { [scheduler] in scheduler.timeOfDay }
        scheduler.add(step)
        let flight = try FlightRecord()
        let change = change
        var crashes = CrashSettings { change.build }
        crashes.guilty = try storage.guiltyInputs()
        crashes.runner = SimulatedRuns(scheduler, clock, change.app)
        let application = Application(
            apps: [change.app], options: options, journal: journal, crashes: crashes, flight: flight,
            environment: environment(clock),
            log: Log(.text, milliseconds: { 0 }, sink: { [scheduler] line in scheduler.tell(line) }))
        let process = Process(application, clock, storage, flight, remains)
        self.process = process
        Backend.current.clock = clock
        Task.detached { [self] in
            await application.recover(from: process.remains ?? [])
            process.remains = nil
            sweep(application, clock)
        }
    }

    private var options: ServeOptions {
        var options = ServeOptions()
        options.adminToken = Self.token
        options.sessionAccess = .id
        options.idleAfter = .seconds(20)
        options.memory = Self.budget
        if bug == .writtenAtWake { options.confirmReleaseAfter = .zero }
        return options
    }

    private func environment(_ clock: SimulatedClock) -> ServerEnvironment {
        ServerEnvironment(
            clock: clock, random: SimulatedRandom(scheduler),
            threads: SessionThreads(effects: SimulatedThreads(scheduler), replays: SimulatedThreads(scheduler)),
            usedMemory: { [weak self] in self.map { MemoryUse(bytes: Self.budget / 100 * $0.memory) } },
            // Otherwise, a thread outside of the scheduler would return memory.
            giveBack: {})
    }

    /// Ends the process like `kill -9` or a loss of power: connections close, and changes that are not durable are
    /// lost.
    func kill() { die(isCommitting: false) }

    /// Ends the process as a trap in the app's code does.
    ///
    /// If the process is already dead, this has no effect.
    func trap() {
        guard let process, process.flight.isInFlight else { return }
        scheduler.tell("trap")
        let marks = process.flight.marks.map { mark in
            FlightMark(
                mark.kind, of: mark.session, app: mark.app, upon: mark.revision, entryKind: mark.entryKind,
                at: mark.time, payload: mark.payload, note: .signal(4))
        }
        die(isCommitting: false, leaving: marks)
        afterDeath()
    }

    /// - Parameter marks: The marks in the flight record; nil for the current marks.
    private func die(isCommitting: Bool, leaving marks: [FlightMark]? = nil) {
        guard let process else { return }
        scheduler.tell("end")
        self.process = nil
        remains = process.remains ?? marks ?? process.flight.marks
        process.storage.die()
        disk.lose(isCommitting: isCommitting)
        process.clock.stop()
        // Otherwise, requests that wait for a revision would stay in memory forever, with the whole process.
        process.application.endWaits()
        for number in process.requests.keys.sorted() { process.requests[number]?(nil) }
        process.requests = [:]
    }

    /// Sends a request.
    ///
    /// - Returns: The response; nil if the connection was closed or could not be opened.
    func send(
        _ method: Method, _ path: String, query: String? = nil, headers: HeaderFields = HeaderFields(),
        body: String? = nil
    ) async -> Response? {
        guard let process, process.remains == nil else { return nil }
        var request = Request(
            method, path: path, query: query, headers: headers, body: body.map { Array($0.utf8) } ?? [])
        if body != nil { request.headers.set(name: "Content-Type", value: "application/json") }
        process.next += 1
        let number = process.next
        return await withCheckedContinuation { continuation in
            process.requests[number] = { continuation.resume(returning: $0) }
            Task.detached { [request] in
                let response = await process.application.respond(to: request)
                process.requests.removeValue(forKey: number)?(response)
            }
        }
    }

    /// Sends a request as the operator.
    func ask(_ path: String, query: String? = nil) async -> Response? {
        await send(.get, path, query: query, headers: ["Authorization": "Bearer \(Self.token)"])
    }

    /// Returns the number of sessions in memory, and the number of their watchers.
    func loads() async throws -> (awake: Int, watchers: Int) {
        guard let process else { return (0, 0) }
        let response = await ask("/admin/sessions")
        let awake = try response.map { try SeenAnswer($0).json[member: "awake"]?.integer ?? -1 }
        return (awake ?? -1, process.application.watcherCount)
    }

    private func sweep(_ application: Application, _ clock: SimulatedClock) {
        Task.detached {
            repeat {
                application.memory.look()
                await application.sweep()
            } while (try? await clock.rest(milliseconds: 2_000)) != nil
        }
    }
}

/// The random ids and seeds of a simulation.
private final class SimulatedRandom: RandomSource, @unchecked Sendable {  // because all runs on one thread
    private let scheduler: Scheduler

    init(_ scheduler: Scheduler) { self.scheduler = scheduler }

    func next() -> UInt64 { scheduler.random.next() }
}

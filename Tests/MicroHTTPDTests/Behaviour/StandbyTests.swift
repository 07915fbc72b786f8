import Dispatch
import LocalhostClient
import Testing
import UsherFuture
import UsherHTTP

@testable import MicroHTTPD

/// Tests of the standby thread, which responds if no thread or no connection is free.
@Suite(.timeLimit(.minutes(5))) struct StandbyTests {
    /// Runs a daemon whose handler blocks its thread for `/hold`, until the semaphore is signalled.
    private func serving(
        _ configuration: DaemonConfiguration = .test, _ body: (Daemon, DispatchSemaphore, Watch) async throws -> Void
    ) async throws {
        let semaphore = DispatchSemaphore(value: 0)
        let held = Watch()
        let daemon = try Daemon(configuration, standby: { _ in Response(status: .serviceUnavailable) }) { request in
            if request.path == "/hold" {
                held.add()
                semaphore.wait()
            }
            return .ready(.text("served"))
        }
        try await BlockingThreads.run { try await body(daemon, semaphore, held) }
    }

    /// Blocks all threads, or a number of them; one thread may accept several connections before it is blocked.
    private func hold(_ count: Int, _ daemon: Daemon, _ held: Watch) async throws -> [RawConnection] {
        var connections: [RawConnection] = []
        while held.value < count {
            let connection = try RawConnection(port: daemon.port)
            try connection.send(get("/hold"))
            connections.append(connection)
            try connection.ifClosed(within: 20)
        }
        return connections
    }

    @Test func `the standby daemon answers requests only while handlers block all threads`()
        async throws
    {
        try await serving { daemon, semaphore, held throws in
            let connections = try await hold(2, daemon, held)
            let response = try answer(to: get(), port: daemon.port)
            #expect(response.status == 503)
            #expect(response["Connection"] == "close")
            // The connection may be counted just after its response.
            while daemon.traffic.standbyConnections == 0 { await Task.yield() }
            for _ in connections { semaphore.signal() }
            // The connections that were accepted before their threads were blocked are served now.
            for _ in 0..<20 { semaphore.signal() }
            for connection in connections { _ = try? connection.readResponse() }
            #expect(try answer(to: get(), port: daemon.port).text == "served")
            await daemon.stop()
        }
    }

    @Test func `while one thread is free, the daemon serves every client without the standby daemon`() async throws {
        try await serving { daemon, semaphore, held throws in
            let connections = try await hold(1, daemon, held)
            for _ in 0..<20 { semaphore.signal() }
            for connection in connections { _ = try connection.readResponse() }
            #expect(daemon.traffic.standbyConnections == 0)
            await daemon.stop()
        }
    }

    @Test func `a daemon stops in time even if handlers block its threads`() async throws {
        var configuration = DaemonConfiguration.test
        configuration.deadlines.grace = .milliseconds(50)
        try await serving(configuration) { daemon, semaphore, held throws in
            let connections = try await hold(2, daemon, held)
            await daemon.stop()
            for _ in 0..<20 { semaphore.signal() }
            _ = connections.count
        }
    }

    @Test func `the standby daemon answers a client while all connections are in use`() async throws {
        var configuration = DaemonConfiguration.test
        configuration.connectionLimit = 4
        let gate = HandlerGate()
        let daemon = try Daemon(configuration, standby: { _ in Response(status: .serviceUnavailable) }) { request in
            .async {
                await gate.pass()
                return await echo(request)
            }
        }
        try await BlockingThreads.run {
            let connections = try (0..<4).map { _ in try RawConnection(port: daemon.port) }
            for connection in connections { try connection.send(get()) }
            #expect(try answer(to: get(), port: daemon.port).status == 503)
            gate.open()
            await daemon.stop()
        }
    }

    @Test func `the standby daemon answers a client while other connections stall or send nothing`() async throws {
        var configuration = DaemonConfiguration.test
        configuration.connectionLimit = 4
        configuration.deadlines.body = .seconds(60)
        let daemon = try Daemon(configuration, standby: { _ in Response(status: .serviceUnavailable) }) { _ in
            .ready(.text("served"))
        }
        try await BlockingThreads.run {
            let started = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"
            let slow = try (0..<12).map { _ in
                let connection = try RawConnection(port: daemon.port)
                try connection.send(started)
                return connection
            }
            let silent = try (0..<8).map { _ in try RawConnection(port: daemon.port) }
            #expect(try answer(to: get(), port: daemon.port).status == 503)
            // Four connections wait in the first daemon, which would accept their bodies.
            #expect(try slow.suffix(8).map { try $0.readResponse().status } == Array(repeating: 503, count: 8))
            _ = silent.count
            await daemon.stop()
        }
    }

    @Test func `if a new connection needs room, the connections that were idle longest are closed`() async throws {
        var configuration = DaemonConfiguration.test
        configuration.connectionLimit = 16
        let daemon = try Daemon(configuration, handler: echo)
        try await BlockingThreads.run {
            let silent = try (0..<8).map { _ in try RawConnection(port: daemon.port) }
            let slow = try RawConnection(port: daemon.port)
            try slow.send("GET / HTTP/1.1\r\nHost")
            let others = try (0..<20).map { _ in
                let connection = try RawConnection(port: daemon.port)
                try connection.send(get())
                #expect(try connection.readResponse().status == 200)
                return connection
            }
            #expect(silent[0].closedByPeer)
            #expect(slow.closedByPeer)
            #expect(daemon.traffic.relievedConnections > 0)
            #expect(daemon.traffic.connectionLimit == 16)
            _ = others.count
            await daemon.stop()
        }
    }

    // MARK: Without sockets

    private func load(_ turns: [UInt: Int], open: Int = 0, accepted: Int = 0, isAwaited: Bool = true) -> ThreadLoad {
        ThreadLoad(isAwaited: isAwaited, accepted: accepted, connections: (open, 100), turns: turns, threads: 2)
    }

    @Test(arguments: [
        ([1: 1, 2: 1], 0, true), ([1: 1], 0, false), ([1: 1], 60, true), ([:], 80, true), ([:], 70, false),
    ])
    func `the standby daemon starts after all threads or all connections have been busy for a while`(
        turns: [UInt: Int], open: Int, isNeeded: Bool
    ) {
        var watch = StandbyWatch()
        let looks = [0, 1_000_000, 90_000_000, 150_000_000].map { watch.isNeeded(load(turns, open: open), at: $0) }
        #expect(looks == [false, false, false, isNeeded])
    }

    @Test func `the standby daemon starts if no descriptor is free, however few connections are open`() {
        var watch = StandbyWatch()
        let short = ThreadLoad(
            isAwaited: true, isShort: true, accepted: 0, connections: (1, 100), turns: [:], threads: 2)
        let looks = [0, 1_000_000, 90_000_000, 150_000_000].map { watch.isNeeded(short, at: $0) }
        #expect(looks == [false, false, false, true])
    }

    @Test
    func `the standby daemon does not start if a connection was accepted, no connection waits, or a thread works`() {
        for other in [
            load([1: 1, 2: 1], accepted: 1), load([1: 1, 2: 1], isAwaited: false), load([1: 3, 2: 1]), load([2: 1]),
        ] {
            var watch = StandbyWatch()
            for time in [0, 1, 2] { _ = watch.isNeeded(load([1: 1, 2: 1]), at: Int64(time)) }
            let isNeeded = watch.isNeeded(other, at: 200_000_000)
            #expect(!isNeeded)
        }
    }

    @Test func `the daemon returns memory to the system after connections were closed, but not too often`() {
        var memory = ConnectionMemory()
        let looks: [(count: Int, time: Int64, isWorth: Bool)] = [
            (1000, 0, false), (990, 1, false), (960, 2, true), (900, 3, false), (900, 20_000_000_000, true),
            (899, 60_000_000_000, false),
        ]
        for look in looks {
            let isWorth = memory.isWorthTrimming(look.count, at: look.time)
            #expect(isWorth == look.isWorth)
        }
    }

    @Test(arguments: [(256, 2, 156), (1024, 2, 732), (64, 2, 12), (40, 4, 4), (1_000_000, 2, 10_000)])
    func `some descriptors are reserved for files and other uses, and not given to connections`(
        descriptors: Int, threads: Int, connections: Int
    ) {
        var configuration = DaemonConfiguration()
        configuration.threads = threads
        configuration.limitConnections(toDescriptors: descriptors)
        #expect(configuration.connectionLimit == connections)
    }
}

import LocalhostClient
import PostgresCluster
import Programs
import ServerCluster
import Testing

/// A fault in an environment of several servers.
struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Whether the fault affects the whole database server, which then must not be that of other tests.
    var needsOwnCluster = false
    /// Whether the fault needs a synchronous standby.
    var needsStandby = false
    /// Whether a server may die or lose its lease, so that each time one of its effects may start again.
    var endsLeases = false
    /// Causes the fault under load, and ends it.
    ///
    /// - Returns: The number of times that it was caused.
    let strike: @Sendable (ServerCluster, LoadProgress) throws -> Int
}

extension Fault {
    static let all = LongRun.choose(gate, long: gate + others)

    private static let gate =
        [freezing, databaseCrash, failover, heldUp, terminated, locked, deaf, rightless]
        + DatabaseProxy.Moment.allCases.flatMap { [killing(at: $0), cutting(at: $0)] }

    /// Faults that are like one above, or whose effects other tests of clusters or of the journal check.
    private static let others = [killing, movedClocks, delays, cancelled, workLocked, exhausted]

    // MARK: Faults of servers

    private static let killing = Fault(testDescription: "a server is killed", endsLeases: true) { cluster, progress in
        let victims = LongRun.choose(Array(cluster.servers.prefix(2)), long: cluster.servers)
        var count = 0
        for server in victims {
            progress.wait(for: 60)
            if progress.waitForRequest(to: server) { count += 1 }
            server.kill()
            progress.wait(for: 60)
            try server.start()
        }
        return count
    }

    private static func killing(at moment: DatabaseProxy.Moment) -> Fault {
        Fault(testDescription: "a server is killed: \(moment)", endsLeases: true) { cluster, progress in
            let server = cluster.servers[1]
            progress.wait(for: 20)
            server.proxy.cut(moment, at: .append) { server.kill() }
            let end = LoadClient.now + 20_000_000_000
            while server.proxy.waitingCuts > 0, LoadClient.now < end { LoadProgress.pause() }
            let isKilled = server.proxy.waitingCuts == 0
            progress.wait(for: 40)
            try server.start()
            return isKilled ? 1 : 0
        }
    }

    private static let freezing = Fault(testDescription: "a server is frozen", endsLeases: true) {
        cluster, progress in
        let times: [Duration] =
            LongRun.isOn
            ? [.seconds(5), .seconds(20), .seconds(60)] : [.milliseconds(500), .seconds(16)]
        var count = 0
        for (server, time) in zip(cluster.servers, times) {
            progress.wait(for: 40)
            let lease = try cluster.lease(of: server)
            _ = progress.waitForRequest(to: server)
            progress.isHeldUp = true
            server.freeze()
            progress.rest(time)
            let isWaited = progress.waitForRequest(to: server)
            server.thaw()
            // The database keeps a lease for fifteen seconds, and a new lease follows an expired one.
            let end = LoadClient.now + 20_000_000_000
            while time > .seconds(15), try cluster.lease(of: server) == lease, LoadClient.now < end {
                LoadProgress.pause()
            }
            progress.release(server)
            if try isWaited && (time < .seconds(15) || cluster.lease(of: server) != lease) { count += 1 }
        }
        return count == times.count ? count : 0
    }

    private static let movedClocks = Fault(
        testDescription: "two clocks are ten minutes off", endsLeases: true
    ) { cluster, progress in
        let folder = try TemporaryFolder()
        let times = [600_000, -600_000]
        var count = 0
        for (server, time) in zip(cluster.servers, times) {
            progress.wait(for: 20)
            // The time of day, and the uptime.
            let bytes = [time, 0].flatMap { time in (0..<8).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) } }
            try folder.write(bytes, to: server.name)
            var setup = server.setup
            setup.environment["USHER_TEST_CLOCK"] = folder(server.name)
            server.stop()
            try server.start(setup)
            if server.becomes(ahead: Double(time) / 1_000) { count += 1 }
        }
        progress.wait(for: 120)
        return count == times.count ? count : 0
    }

    // MARK: Faults of connections

    private static func cutting(at moment: DatabaseProxy.Moment) -> Fault {
        Fault(testDescription: "connections are cut: \(moment)") { cluster, progress in
            var count = 0
            for round in 0..<LongRun.choose(2, long: 20) {
                for server in cluster.servers { server.proxy.cut(moment, at: round % 2 == 0 ? .append : .confirm) }
                progress.wait(for: 80)
                count += cluster.servers.count { $0.proxy.waitingCuts == 0 }
            }
            return count
        }
    }

    private static let delays = Fault(testDescription: "requests are delayed") { cluster, progress in
        let before = cluster.servers.map(\.proxy.heldUp)
        for (server, time) in zip(cluster.servers, [20, 60, 150]) { server.proxy.delay(by: .milliseconds(time)) }
        progress.wait(for: 150)
        for server in cluster.servers { server.proxy.delay(by: .zero) }
        let delays = zip(cluster.servers, before).map { $0.proxy.heldUp - $1 }
        return delays.contains(0) ? 0 : delays.reduce(0, +)
    }

    private static let heldUp = Fault(
        testDescription: "nothing is forwarded for a while", endsLeases: LongRun.isOn
    ) { cluster, progress in
        var count = 0
        for server in cluster.servers {
            progress.wait(for: 40)
            _ = progress.waitForRequest(to: server)
            progress.isHeldUp = true
            server.proxy.freeze()
            progress.rest(.milliseconds(1_200))
            // Later the server knows that it has lost its lease, and lets no request wait.
            if progress.waitForRequest(to: server) { count += 1 }
            progress.rest(LongRun.choose(.zero, long: .seconds(29)))
            server.proxy.thaw()
            progress.release(server)
        }
        return count == cluster.servers.count ? count : 0
    }

    // MARK: Faults of the database

    private static let databaseCrash = Fault(
        testDescription: "the database crashes", needsOwnCluster: true, endsLeases: true
    ) { cluster, progress in
        let count = LongRun.choose(1, long: 5)
        for _ in 0..<count {
            progress.wait(for: 80)
            try cluster.database.cluster.crash()
        }
        return count
    }

    private static let failover = Fault(
        testDescription: "the database fails over to its standby, and back", needsOwnCluster: true, needsStandby: true,
        endsLeases: true
    ) { cluster, progress in
        var (primary, standby) = (cluster.database.cluster, try #require(cluster.database.standby))
        let count = LongRun.choose(2, long: 6)
        for _ in 0..<count {
            progress.wait(for: 80)
            try primary.stop()
            try standby.promote()
            progress.wait(for: 60)
            // The old primary returns as a standby, which accepts no writes.
            try primary.follow(standby)
            try standby.waitForStandby(true)
            (primary, standby) = (standby, primary)
        }
        return count
    }

    private static let terminated = signalling("terminated", "pg_terminate_backend", where: "random() < 0.4")
    /// Cancelling a connection that runs nothing has no effect.
    private static let cancelled = signalling("cancelled", "pg_cancel_backend", where: "state = 'active'")

    private static func signalling(_ word: String, _ function: String, where condition: String) -> Fault {
        Fault(testDescription: "the database's processes are \(word)") { cluster, progress in
            let (rounds, end) = (LongRun.choose(3, long: 30), LoadClient.now + 60_000_000_000)
            var count = 0
            var struck = 0
            while struck < rounds, LoadClient.now < end {
                progress.wait(for: 30)
                let processes = try cluster.database.signal(function, where: condition)
                count += processes
                if processes > 0 { struck += 1 }
            }
            return struck == rounds ? count : 0
        }
    }

    private static let locked = locking("sessions", endsLeases: LongRun.isOn)
    /// All inputs that start or end work wait for this lock.
    private static let workLocked = locking("work")

    private static func locking(_ table: String, endsLeases: Bool = false) -> Fault {
        Fault(testDescription: "a stranger holds a lock on \(table)", endsLeases: endsLeases) { cluster, progress in
            progress.wait(for: 40)
            // This is longer than the servers wait for a lock.
            let time = LongRun.choose(6, long: 60)
            try cluster.database.run("BEGIN; LOCK TABLE usher.\(table); SELECT pg_sleep(\(time)); COMMIT")
            return 1
        }
    }

    private static let exhausted = Fault(
        testDescription: "there are no connections left", endsLeases: LongRun.isOn
    ) { cluster, progress in
        progress.wait(for: 40)
        let role = cluster.database.role
        try cluster.database.run("ALTER ROLE \(role) CONNECTION LIMIT 3")
        let count = try cluster.database.signal("pg_terminate_backend")
        progress.rest(.seconds(LongRun.choose(2, long: 20)))
        try cluster.database.run("ALTER ROLE \(role) CONNECTION LIMIT -1")
        return count
    }

    private static let deaf = Fault(testDescription: "the listeners' connections are lost") { cluster, progress in
        var count = 0
        for _ in 0..<LongRun.choose(3, long: 50) {
            progress.wait(for: 40)
            count += try cluster.database.signal("pg_terminate_backend", where: "query ~ '^LISTEN|pg_notify'")
        }
        return count
    }

    private static let rightless = Fault(
        testDescription: "the role loses its rights", endsLeases: true
    ) { cluster, progress in
        progress.wait(for: 40)
        try cluster.database.revoke()
        let unready = cluster.servers.count { $0.becomes(ready: false) }
        try cluster.database.grant()
        let ready = cluster.servers.count { $0.becomes(ready: true) }
        return min(unready, ready) == cluster.servers.count ? 1 : 0
    }
}

extension Fault {
    /// A fault that flips a bit of a session's record, which servers that have its tree in memory do not notice.
    static func damage(to session: String) -> Fault {
        Fault(
            testDescription: "a bit flips, and all servers are restarted one by one", endsLeases: true
        ) { cluster, progress in
            try cluster.database.run(
                """
                UPDATE usher.entries SET content = set_byte(content, 20, get_byte(content, 20) # 1)
                WHERE session = '\(session)' AND revision = 2
                """)
            for server in cluster.servers {
                progress.wait(for: 40)
                server.stop()
                try server.start()
            }
            return cluster.servers.count
        }
    }

    /// A fault that fills the database's disk for some time.
    static func shortage(on disk: SmallDisk) -> Fault {
        Fault(testDescription: "the disk is full", endsLeases: true) { cluster, progress in
            progress.wait(for: 40)
            try disk.fill()
            let end = LoadClient.now + 20_000_000_000
            var isRefused = false
            while !isRefused, LoadClient.now < end {
                let answer = try? cluster.client(timeout: 5).request("POST", "/sessions", body: #"{"app":"ledger"}"#)
                isRefused = answer?.status == 503
            }
            try disk.clear()
            return isRefused ? 1 : 0
        }
    }
}

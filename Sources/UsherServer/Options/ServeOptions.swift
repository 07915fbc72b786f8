import MicroHTTPD
package import UsherHTTP
package import UsherJournal
import UsherProcess
import UsherSessions

/// The options of `usher serve`, and the configurations of sessions, daemon and policies that they make.
package struct ServeOptions: Sendable {
    package var host = "127.0.0.1"
    package var port = 8080
    /// The place of the journal.
    package var journal = JournalLocation.memory
    /// The server among others, where its journal is in a database.
    package var shared = SharingOptions()
    /// The databases that this executable is built with.
    private let engines: [JournalEngine]
    /// The crashes that an acknowledged input outlives.
    package var durability = Durability.sync
    /// The folder of the page at `/`; no page where nil.
    package var publicFolder: String?
    /// Threads that serve connections; the daemon's own choice where nil.
    package var threads: Int?
    /// Bytes that a connection may use for a request's head.
    package var connectionMemory = 8 * 1024
    /// After this time without use a session hibernates.
    package var idleAfter = SessionRegistry.Configuration().idleTime
    /// After this time without use a session ends.
    package var expireAfter = SessionRegistry.Configuration().expiryTime
    /// Sessions that may be in memory at the same time.
    package var maxLive = SessionRegistry.Configuration().awakeLimit
    package var maxSessions = SessionRegistry.Configuration().sessionLimit
    /// The time that author's code may take; nil for no limit.
    package var handlerTimeout: Duration? = .seconds(5)
    /// Bytes by which the process may grow while it runs; nil for no limit.
    package var inputMemory: Int? = 256 << 20
    /// Bytes of memory that the server may use, 0 for no budget; three quarters of what the system leaves it where nil.
    package var memory: Int?
    /// The limits of what one client address may use.
    package var addressLimits = AddressLimits()
    package var allowedOrigins: [String] = []
    package var allowedHosts: [String] = []
    /// The networks of the proxies that are believed where they name a request's client.
    package var trustedProxies: [AddressBlock] = []
    /// The operator's token.
    package var adminToken: String?
    /// The file in which the operator's token is.
    package var adminTokenFile: String?
    /// The operator's own listener, behind which no token is asked for.
    package var adminListener: AdminListener?
    /// The address by which clients know the server; its own where nil.
    package var publicURL: PublicURL?
    /// The key to sessions.
    package var sessionAccess = SessionKeyKind.token
    /// The file with the secret from which tokens are derived; one with the server's state where nil.
    package var sessionKeyFile: String?
    /// The secret of the apps' backend; nobody is it where nil.
    package var backendKey: String?
    /// The file in which that secret is.
    package var backendKeyFile: String?
    /// The secret from which tokens are derived.
    var sessionKey = Array(BearerSecret.random().text.utf8)
    /// The secrets from which tokens may have been derived as well.
    var otherSessionKeys: [[UInt8]] = []
    /// Set where anybody may ask for the apps.
    package var appsArePublic = false
    package var logFormat = LogFormat.text
    /// The time for which it goes on serving after a signal to stop; by the journal where nil.
    var drainTime: Duration?
    /// True where a supervisor keeps a worker running, which serves; else this process serves.
    package var isSupervised = true
    /// True where the supervisor takes over from one that runs.
    package var replaces = false

    /// The defaults.
    package init() {
        engines = []
    }

    /// Reads the options from the command line, and from the environment those that it does not name.
    ///
    /// - Parameters:
    ///   - arguments: The words behind the command's name.
    ///   - engines: The databases that this executable is built with.
    ///   - environment: Looks a variable up.
    /// - Throws: `UsageError` for an unknown option, one without its value, a bad value, two options that exclude each
    ///   other, or no place for the journal.
    init(
        _ arguments: ArraySlice<String>, engines: [JournalEngine], environment: (String) -> String?
    ) throws(UsageError) {
        self.engines = engines
        let reading = try Self.all.read(arguments, environment: environment, into: &self)
        if let operand = reading.operands.first { throw UsageError("serve takes no \"\(operand)\"") }
        try checkAccess()
        guard isSupervised || !replaces else {
            throw UsageError("--replace is the supervisor's to do; leave --no-supervisor away")
        }
        if !reading.named.contains("journal") { journal = try JournalLocation(environment: environment) }
        try checkSharing(reading.named)
    }

    /// The bounds of the sessions: their number, and the times after which an idle one hibernates and ends.
    var bounds: SessionRegistry.Configuration {
        var configuration = SessionRegistry.Configuration()
        configuration.sessionLimit = maxSessions
        configuration.awakeLimit = maxLive
        configuration.idleTime = idleAfter
        configuration.expiryTime = expireAfter
        configuration.waitingLimit = memoryBudget.map { MemoryBudget(bytes: $0).queueBytes } ?? .max
        return configuration
    }

    /// Bytes of memory that the server may use; nil for no budget.
    var memoryBudget: Int? {
        guard let memory else { return Self.systemMemory.limit.map { $0 / 4 * 3 } }
        return memory == 0 ? nil : memory
    }

    /// Reads the memory in use: the process's, or its control group's where that sets the budget.
    var readMemory: @Sendable () -> Int? {
        { [isOwn = memory != nil] in Self.systemMemory.usedBytes(ofProcess: isOwn) }
    }

    /// The time for which it goes on serving after a signal to stop: where others serve the same sessions, as long as a load
    /// balancer takes to send it no more.
    package var drain: Duration { drainTime ?? (journal.isShared ? .seconds(2) : .zero) }

    private static let systemMemory = SystemMemory()

    /// The time between two sweeps: a small part of the time that sessions may be idle.
    package var sweepInterval: Duration {
        min(max(min(idleAfter, expireAfter) / 10, .milliseconds(100)), .seconds(30))
    }

    /// The base URL of clients, such as `http://127.0.0.1:8080`.
    ///
    /// - Parameter port: The one that was found where any was asked for.
    func address(port: Int) -> String {
        AdminListener.port(host: host, port: port).address(port: port)
    }

    /// The daemon's address, threads, memory, and as many connections as there are descriptors for.
    var daemon: DaemonConfiguration {
        var configuration = DaemonConfiguration(host: host, port: port)
        configuration.threads = threads ?? configuration.threads
        configuration.connectionMemory = connectionMemory
        // An import comes to the address of its own, if there is one.
        if adminListener == nil { configuration.bodyLimits = ExportEndpoints.bodyLimits }
        configuration.limitConnections(toDescriptors: DescriptorLimit.current)
        configuration.connectionsPerAddress = addressLimits.connections
        configuration.isLimited = { [proxies, scope = addressLimits.scope] peer in
            // A trusted proxy's connections are those of many.
            proxies.isEmpty ? scope == .all || !AddressBlock.isLocal(peer) : !proxies.trusts(peer)
        }
        configuration.exchangeLimit = memoryBudget.map { MemoryBudget(bytes: $0).queueBytes } ?? .max
        return configuration
    }
}

extension ServeOptions {
    /// An option of `usher serve`.
    typealias Option = CommandOption<ServeOptions>

    /// Every option, in the order of the usage.
    static let all = CommandOptions(
        listening + journalling + sharing + sessions + limits + watching + accessOptions + sessionAccessOptions
            + logging + process)

    private static let listening = [
        Option("host", "ADDRESS", "the address to listen on (127.0.0.1)") { value, options in
            // An IPv6 address may stand as in a URL.
            options.host = value.hasPrefix("[") && value.hasSuffix("]") ? String(value.dropFirst().dropLast()) : value
        },
        Option("port", "N", "the port; 0 takes a free one (8080)", sets: \.port, Option.number(in: 0...65_535)),
        Option("public", "DIR", "the folder of the page at / (no page)", sets: \.publicFolder) { value, _ in value },
        Option("threads", "N", "threads that serve connections (one a processor)", sets: \.threads) {
            value, name throws(UsageError) in
            try Option.number(in: 1...256)(value, name)
        },
        Option(
            "connection-memory", "SIZE", "what the head of a request may take (8K)",
            sets: \.connectionMemory, Option.size(in: 2_048...1_048_576)),
    ]

    private static let journalling = [
        Option(
            "journal", "sqlite:PATH|memory|URI", "where inputs are kept (a file below ~/.local/state)"
        ) { value, options throws(UsageError) in
            options.journal = try JournalLocation(value, engines: options.engines)
        },
        Option(
            "durability", "sync|relaxed", "what an answer outlives: any crash, or most crashes of the process (sync)",
            sets: \.durability, Option.word(.sync, .relaxed)),
    ]

    private static let sessions = [
        Option(
            "idle-after", "TIME", "without use a session then leaves memory, until it is used again (5m)",
            sets: \.idleAfter, Option.duration),
        Option(
            "expire-after", "TIME", "without use a session then ends (24h)", sets: \.expireAfter, Option.duration),
        Option("max-live", "N", "sessions that may be in memory at the same time (no limit)", sets: \.maxLive, count),
        Option("max-sessions", "N", "sessions that may live at the same time (1000000)", sets: \.maxSessions, count),
    ]

    private static let limits = [
        Option(
            "memory", "SIZE", "the memory that it may use, such as 512M; 0 for no limit (3/4 of what there is)",
            sets: \.memory
        ) { value, name throws(UsageError) in
            try Option.unlimited(or: Option.size(in: (32 << 20)...(1 << 50), suchAs: "512M"))(value, name) ?? 0
        },
        Option(
            "address-connections", "N", "connections of one client address at the same time; 0 for any number (512)",
            sets: \.addressLimits.connections, limit),
        Option(
            "address-streams", "N", "streams of one client address at the same time; 0 for any number (128)",
            sets: \.addressLimits.streams, limit),
        Option(
            "address-sessions", "N", "sessions that one client address may open a second; 0 for any number (10)",
            sets: \.addressLimits.sessions, limit),
        Option(
            "address-bytes", "SIZE", "what one client address may have journalled a day; 0 for any amount (256M)",
            sets: \.addressLimits.bytes, Option.size(in: 0...(1 << 50))),
        Option(
            "address-limits", "public|all",
            "the addresses that are limited without a trusted proxy: also this machine's and private ones (public)",
            sets: \.addressLimits.scope, Option.word(.public, .all)),
    ]

    /// A server that starts where a supervisor was killed waits for longer.
    private static let longestDrain = Duration.seconds(15)

    private static let limit = Option.number(in: 0...100_000_000)

    private static let count = Option.number(in: 1...100_000_000)

    private static let logging = [
        Option("log", "text|json", "how a line of the log looks (text)", sets: \.logFormat, Option.word(.text, .json))
    ]

    private static let process = [
        Option(
            "drain-time", "TIME",
            "told to stop, it serves on for so long and is not ready, for a load balancer to see (2s on a database, else 0s)",
            sets: \.drainTime
        ) { value, name throws(UsageError) in
            guard value != "0", value != "0s" else { return .zero }
            guard let time = try? Option.duration(value, name), time <= longestDrain else {
                throw UsageError("--\(name) takes 0s, or a time from 100ms to 15s, not \"\(value)\"")
            }
            return time
        },
        Option(
            "replace", "take over from the server on this journal, and refuse no connection meanwhile",
            sets: \.replaces, to: true),
        Option(
            "no-supervisor", "serve in this process, and do not start again after a crash", sets: \.isSupervised,
            to: false),
    ]
}

import MicroHTTPD
package import UsherHTTP
package import UsherJournal
import UsherProcess
import UsherSessions

/// The options of `usher serve`, and the configurations for sessions, the daemon and policies that follow from them.
package struct ServeOptions: Sendable {
    package var host = "127.0.0.1"
    package var port = 8080
    package var journal = JournalLocation.memory
    /// How the server shares its journal, if the journal is in a database.
    package var shared = SharingOptions()
    /// The databases that this executable is built with.
    private let engines: [JournalEngine]
    /// The crashes that acknowledged inputs survive.
    package var durability = Durability.sync
    package var page = PageChoice.installed
    /// The number of threads that serve connections; nil for the daemon's default.
    package var threads: Int?
    /// The number of bytes of a connection's memory for the head of a request.
    package var connectionMemory = 8 * 1024
    /// The time that a connection may wait for its next request.
    package var keepAlive = DaemonConfiguration.Deadlines().idle
    /// The time without use after which a session is removed from memory.
    package var idleAfter = SessionRegistry.Configuration().idleTime
    /// The time without use after which a session ends.
    package var expireAfter = SessionRegistry.Configuration().expiryTime
    /// The time without an input after which a session on hold ends.
    package var heldExpireAfter = SessionRegistry.Configuration().heldExpiryTime
    /// The time, counted from the end of the former build, during which resumed sessions can still return to that
    /// build.
    package var confirmReleaseAfter = SessionRegistry.Configuration().confirmationTime
    /// The maximum number of sessions in memory.
    package var maxLive = SessionRegistry.Configuration().awakeLimit
    package var maxSessions = SessionRegistry.Configuration().sessionLimit
    /// The maximum number of inputs of a session since the session was opened or last started over.
    package var maxInputs = SessionRegistry.Configuration().inputLimit
    /// The largest limit, in bytes, that an app can set for the JSON of a session's screens, or for an effect's output.
    package var maxState = SessionRegistry.Configuration().stateLimit
    /// The time that an app's code may take; nil for no limit.
    package var handlerTimeout: Duration? = .seconds(5)
    /// The number of bytes by which the process may grow while an app's code runs; nil for no limit.
    package var inputMemory: Int? = 256 << 20
    /// The server's memory budget in bytes; 0 for none; nil for three quarters of the available memory.
    package var memory: Int?
    package var addressLimits = AddressLimits()
    package var allowedOrigins: [String] = []
    package var allowedHosts: [String] = []
    /// The networks of the proxies that are trusted to name a request's client.
    package var trustedProxies: [AddressBlock] = []
    package var adminToken: String?
    /// The file that contains the operator's token.
    package var adminTokenFile: String?
    /// The operator's own listener, which requires no token.
    package var adminListener: AdminListener?
    /// The address by which clients know the server; nil if clients use the server's own address.
    package var publicURL: PublicURL?
    /// The credential that a client needs for a session: its token, or only its id.
    package var sessionAccess = SessionKeyKind.token
    /// The file with the secret from which tokens are derived; nil for a file in the server's state folder.
    package var sessionKeyFile: String?
    /// The secret of the apps' backend; nil for no backend.
    package var backendKey: String?
    /// The file that contains the backend's secret.
    package var backendKeyFile: String?
    /// The secret from which tokens are derived.
    var sessionKey = Array(BearerSecret.random().text.utf8)
    /// Other secrets from which the tokens of existing sessions may have been derived.
    var otherSessionKeys: [[UInt8]] = []
    /// The file that stores operators' logins across restarts; nil for none.
    var loginFile: String?
    /// A Boolean value indicating whether anyone can list the apps.
    package var appsArePublic = false
    package var logFormat = LogFormat.text
    /// The time for which the server continues to serve after a signal to stop; nil for a default that depends on the
    /// journal.
    var drainTime: Duration?
    /// A Boolean value indicating whether the server runs in a worker process, which a supervisor restarts.
    package var isSupervised = true
    /// A Boolean value indicating whether this supervisor takes over from a running one.
    package var replaces = false
    /// The maximum numbers of sessions that this build may hold or resume when it takes over.
    package var releaseLimits = ReleaseLimits()

    package init() {
        engines = []
    }

    /// Parses the command line; the environment sets options that the command line lacks.
    ///
    /// - Throws: `UsageError` for an unknown option, a missing or invalid value, options that exclude each other, or a
    ///   missing journal.
    init(_ words: CommandWords) throws(UsageError) {
        engines = words.engines
        let reading = try Self.all.read(words, into: &self)
        if let operand = reading.operands.first { throw UsageError("\"serve\" does not take \"\(operand)\"") }
        try checkAccess()
        if !reading.named.contains("journal") { journal = try JournalLocation(environment: words.environment) }
        try checkSharing(reading.named)
        try checkRelease()
    }

    var bounds: SessionRegistry.Configuration {
        var configuration = SessionRegistry.Configuration()
        configuration.sessionLimit = maxSessions
        configuration.awakeLimit = maxLive
        configuration.inputLimit = maxInputs
        configuration.stateLimit = maxState
        configuration.idleTime = idleAfter
        configuration.expiryTime = expireAfter
        configuration.heldExpiryTime = heldExpireAfter
        configuration.confirmationTime = confirmReleaseAfter
        configuration.waitingLimit = memoryBudget.map { MemoryBudget(bytes: $0).queueBytes } ?? .max
        return configuration
    }

    /// The server's memory budget in bytes; nil for none.
    var memoryBudget: Int? {
        guard let memory else { return Self.systemMemory.limit.map { $0 / 4 * 3 } }
        return memory == 0 ? nil : memory
    }

    /// Reads the memory in use by the process, or by its control group if the group's limit sets the budget.
    var readMemory: @Sendable () -> MemoryUse? {
        { [isOwn = memory != nil, mark = memoryBudget.map { MemoryBudget(bytes: $0).restMark } ?? .max] in
            Self.systemMemory.use(ofProcess: isOwn, withHeapFrom: mark)
        }
    }

    /// The time for which the server continues to serve after a signal to stop.
    ///
    /// If other servers serve the same sessions, a load balancer needs this time to notice the stop and to send
    /// requests elsewhere.
    package var drain: Duration { drainTime ?? (journal.isShared ? .seconds(2) : .zero) }

    private static let systemMemory = SystemMemory()

    /// The time between two sweeps, which is short compared with the idle times.
    package var sweepInterval: Duration {
        min(max(min(idleAfter, expireAfter) / 10, .milliseconds(100)), .seconds(30))
    }

    /// Returns the base URL for clients, such as `http://127.0.0.1:8080`, with the actual port: the option may be 0.
    func address(port: Int) -> String {
        AdminListener.port(host: host, port: port).address(port: port)
    }

    /// The daemon's configuration; the number of connections is limited to the available descriptors.
    var daemon: DaemonConfiguration {
        var configuration = DaemonConfiguration(host: host, port: port)
        configuration.threads = threads ?? configuration.threads
        configuration.connectionMemory = connectionMemory
        configuration.deadlines.idle = keepAlive
        // Imports are sent to the operator's listener, if there is one, so the public listener keeps the normal limit.
        if adminListener == nil { configuration.bodyLimits = AdminEndpoints.bodyLimits }
        configuration.limitConnections(toDescriptors: DescriptorLimit.current)
        configuration.connectionsPerAddress = addressLimits.connections
        configuration.isLimited = { [proxies, scope = addressLimits.scope] peer in
            // A trusted proxy is not limited, because its connections belong to many clients.
            proxies.isEmpty ? scope == .all || !AddressBlock.isLocal(peer) : !proxies.trusts(peer)
        }
        configuration.exchangeLimit = memoryBudget.map { MemoryBudget(bytes: $0).queueBytes } ?? .max
        return configuration
    }
}

extension ServeOptions {
    typealias Option = CommandOption<ServeOptions>

    static let help = CommandHelp(
        "serve", "serve this program's apps over HTTP", synopses: ["[OPTION...]"],
        description: [
            """
            When the server is ready, it prints "usher: listening on http://HOST:PORT" to standard output, followed by \
            the operator's address or login link. It logs to standard error. On SIGTERM and SIGINT, the server completes \
            the requests in progress, and then ends.
            """,
            """
            A supervisor process holds the listening socket and starts the serving process again after a crash.
            """,
            """
            TIME has a unit, such as 500ms, 30s, 5m, 24h or 7d. SIZE is bytes, or has a unit, such as 8K, 512M or 1G. \
            In the environment, commas separate the values of a repeatable option, and the value 1 sets an \
            option that takes no value.
            """,
        ], options: all)

    static let all = CommandOptions([
        .init("Address and page", listening), .init("Journal", journalling),
        .init("Journal in a PostgreSQL database", sharing), .init("Sessions", sessions), .init("Limits", limits),
        .init("Handlers", watching), .init("Clients and proxies", publicOptions), .init("Operator", operatorOptions),
        .init("Keys to sessions", sessionAccessOptions), .init("Log and process", process),
        .init("Taking over", releasing),
    ])

    private static let listening = [
        Option("host", "ADDRESS", "the address to listen on (default: 127.0.0.1)") { value, options in
            // An IPv6 address may have brackets, as in a URL.
            options.host = value.withoutBrackets
        },
        Option(
            "port", "N", "the port; 0 chooses a free one (default: 8080)", sets: \.port,
            Option.number(in: 0...65_535)),
        Option(
            "public", "DIR|none", "the folder of the debug page at / (default: the page installed with the program)",
            sets: \.page
        ) { value, _ in PageChoice(value) },
        Option(
            "threads", "N", "the threads that serve connections (default: one per processor)", sets: \.threads,
            Option.number(in: 1...256)),
        Option(
            "connection-memory", "SIZE", "the memory for the head of a request (default: 8K)",
            sets: \.connectionMemory, Option.size(in: 2_048...1_048_576)),
        Option(
            "keep-alive-timeout", "TIME",
            "close a connection after this time without requests; a proxy in front needs a shorter time (default: 2m)",
            sets: \.keepAlive, Option.duration),
    ]

    private static let journalling = [
        Option(
            "journal", "sqlite:PATH|memory|URI",
            "where to keep the inputs of sessions; a URI names a PostgreSQL database, and needs usher-postgres "
                + "(default: a file below ~/.local/state/usher)"
        ) { value, options throws(UsageError) in
            options.journal = try JournalLocation(value, engines: options.engines)
        },
        Option(
            "durability", "sync|relaxed",
            "sync: an answered input survives any crash; relaxed: a crash may lose the last 50 ms (default: sync)",
            sets: \.durability, Option.word(.sync, .relaxed)),
    ]

    private static let sessions = [
        Option(
            "idle-after", "TIME",
            "take a session out of memory after this time without use; the next use rebuilds it (default: 5m)",
            sets: \.idleAfter, Option.duration),
        Option(
            "expire-after", "TIME", "end a session after this time without use (default: 24h)",
            sets: \.expireAfter, Option.duration),
        Option(
            "held-expire-after", "TIME",
            "end a session on hold, which this build must not serve, after this time without an input (default: 30d)",
            sets: \.heldExpireAfter, Option.duration),
        Option(
            "confirm-release-after", "TIME",
            "how long resumed sessions can still return to the previous build after that build ended; during this "
                + "time, the sessions' work waits (default: 1h)",
            sets: \.confirmReleaseAfter, Option.duration),
        Option(
            "max-live", "N", "the most sessions in memory at the same time (default: no limit)", sets: \.maxLive,
            count),
        Option(
            "max-sessions", "N", "the most sessions at the same time, in memory or not (default: 1000000)",
            sets: \.maxSessions, count),
        Option(
            "max-inputs", "N",
            "the most inputs of a session; an app that needs more inputs must start over (default: 10000)",
            sets: \.maxInputs, Option.number(in: 100...1_000_000)),
        Option(
            "max-state", "SIZE",
            "the most that an app can allow for a session's state or an effect's output (default: 1M)",
            sets: \.maxState, Option.size(in: (64 << 10)...(16 << 20), suchAs: "2M")),
    ]

    /// The longest drain time, shorter than the time for which a new server waits for a killed supervisor's worker.
    private static let longestDrain = Duration.seconds(15)

    private static let count = Option.number(in: 1...100_000_000)

    private static let process = [
        Option(
            "log", "text|json", "the format of log lines (default: text)", sets: \.logFormat,
            Option.word(.text, .json)),
        Option(
            "drain-time", "TIME",
            "the time, up to 15s, in which the server still serves after SIGTERM; /readyz already fails, so that load "
                + "balancers notice the stop (default: 2s with a journal in a database, else 0s)",
            sets: \.drainTime
        ) { value, name throws(UsageError) in
            guard value != "0", value != "0s" else { return .zero }
            guard let time = try? Option.duration(value, name), time <= longestDrain else {
                throw UsageError("--\(name) takes 0s, or a time from 100ms to 15s, not \"\(value)\"")
            }
            return time
        },
        Option(
            "no-supervisor", "serve in this process, without a restart after a crash", sets: \.isSupervised,
            to: false),
    ]
}

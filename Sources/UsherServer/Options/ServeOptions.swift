import MicroHTTPD
package import UsherSQLite
import UsherSessions

/// How `usher serve` was asked to run.
package struct ServeOptions: Sendable {
    package var host = "127.0.0.1"
    package var port = 8080
    /// Where inputs are kept.
    package var journal = JournalLocation.memory
    /// What an acknowledged input outlives.
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
    package var allowedOrigins: [String] = []
    package var allowedHosts: [String] = []
    package var adminToken: String?
    package var logFormat = LogFormat.text

    /// The defaults.
    package init() {}

    /// Reads the options from the command line, and from the environment those that it does not name.
    ///
    /// - Throws: `UsageError` for an unknown option, one without its value, a bad value, or no place for the journal.
    init(_ arguments: ArraySlice<String>, environment: (String) -> String?) throws(UsageError) {
        let reading = try Self.all.read(arguments, environment: environment, into: &self)
        if let operand = reading.operands.first { throw UsageError("serve takes no \"\(operand)\"") }
        if !reading.named.contains("journal") { journal = try JournalLocation(environment: environment) }
    }

    /// Who may do what.
    var policies: Policies {
        let hosts = HostPolicy(boundTo: host, allowing: allowedHosts)
        return Policies(
            hosts: hosts, origins: OriginPolicy(allowing: allowedOrigins),
            admin: AdminPolicy(token: adminToken, isLoopback: hosts.isLoopback))
    }

    /// How many sessions there may be, and how long one stays that nobody uses.
    var bounds: SessionRegistry.Configuration {
        var configuration = SessionRegistry.Configuration()
        configuration.sessionLimit = maxSessions
        configuration.awakeLimit = maxLive
        configuration.idleTime = idleAfter
        configuration.expiryTime = expireAfter
        return configuration
    }

    /// How long nobody looks after idle sessions: a small part of what they are idle for.
    package var sweepInterval: Duration {
        min(max(min(idleAfter, expireAfter) / 10, .milliseconds(100)), .seconds(30))
    }

    /// How the daemon listens.
    var daemon: DaemonConfiguration {
        var configuration = DaemonConfiguration(host: host, port: port)
        configuration.threads = threads ?? configuration.threads
        configuration.connectionMemory = connectionMemory
        return configuration
    }
}

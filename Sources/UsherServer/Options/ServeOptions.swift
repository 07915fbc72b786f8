import MicroHTTPD
import UsherSessions

/// How `usher serve` was asked to run.
package struct ServeOptions: Sendable {
    /// Where inputs are kept.
    package enum Journal: String, Sendable {
        /// In memory: sessions end with the process.
        case memory
    }

    package var host = "127.0.0.1"
    package var port = 8080
    package var journal = Journal.memory
    /// The folder of the page at `/`; no page where nil.
    package var publicFolder: String?
    /// Threads that serve connections; the daemon's own choice where nil.
    package var threads: Int?
    /// Bytes that a connection may use for a request's head.
    package var connectionMemory = 8 * 1024
    package var maxSessions = 1_000_000
    package var allowedOrigins: [String] = []
    package var allowedHosts: [String] = []
    package var adminToken: String?
    package var logFormat = LogFormat.text

    /// The defaults.
    package init() {}

    /// Reads the options from the command line, and from the environment those that it does not name.
    ///
    /// - Throws: `UsageError` for an unknown option, one without its value, or a bad value.
    init(_ arguments: ArraySlice<String>, environment: (String) -> String?) throws(UsageError) {
        var given: [(option: ServeOption, value: String)] = []
        var rest = arguments
        while let argument = rest.popFirst() { given.append(try ServeOption.parse(argument, rest: &rest)) }
        for option in ServeOption.all where !given.contains(where: { $0.option.name == option.name }) {
            guard let value = environment(option.variable), !value.isEmpty else { continue }
            try option.read(variable: value, into: &self)
        }
        for (option, value) in given { try option.read(value, into: &self) }
    }

    /// Who may do what.
    var policies: Policies {
        let hosts = HostPolicy(boundTo: host, allowing: allowedHosts)
        return Policies(
            hosts: hosts, origins: OriginPolicy(allowing: allowedOrigins),
            admin: AdminPolicy(token: adminToken, isLoopback: hosts.isLoopback))
    }

    /// How many sessions there may be.
    var bounds: SessionRegistry.Configuration {
        var configuration = SessionRegistry.Configuration()
        configuration.sessionLimit = maxSessions
        return configuration
    }

    /// How the daemon listens.
    var daemon: Daemon.Configuration {
        var configuration = Daemon.Configuration(host: host, port: port)
        configuration.threads = threads ?? configuration.threads
        configuration.connectionMemory = connectionMemory
        return configuration
    }
}

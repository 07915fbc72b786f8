import LocalhostClient
import Programs

extension Program {
    /// The executable `usher`, with nothing of this machine's settings, the operator's token that all tests know, and sessions
    /// that their ids alone open.
    convenience init(usher arguments: [String], environment: [String: String?] = [:]) throws {
        try self.init("usher", arguments, environment: environment)
    }

    /// An executable of this package, with nothing of this machine's settings, and the operator's token of tests.
    ///
    /// - Parameter environment: Its variables; one that is nil is not there.
    convenience init(_ name: String, _ arguments: [String], environment: [String: String?]) throws {
        // But with what a sanitizer has to know, and where it finds its symbolizer.
        var inherited: [String: String?] = Program.environment.filter {
            $0.key.hasSuffix("SAN_OPTIONS") || $0.key == "PATH"
        }
        inherited["USHER_ADMIN_TOKEN"] = LocalhostClient.operatorToken
        inherited["USHER_SESSION_ACCESS"] = "id"
        try self.init(
            ["\(Program.products)/\(name)"] + arguments,
            environment: inherited.merging(environment) { _, given in given }.compactMapValues { $0 })
    }
}

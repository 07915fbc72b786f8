import LocalhostClient
import Programs

extension Program {
    /// Starts the executable `usher` without this machine's settings.
    ///
    /// The operator has the token that all tests use, and sessions need only their ids.
    convenience init(usher arguments: [String], environment: [String: String?] = [:]) throws {
        try self.init("usher", arguments, environment: environment)
    }

    /// Starts an executable of this package without this machine's settings, with the operator's token of the tests.
    ///
    /// - Parameter environment: The environment variables; nil removes a variable.
    convenience init(_ name: String, _ arguments: [String], environment: [String: String?]) throws {
        // Keep the variables of sanitizers, and the path to their symbolizer.
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

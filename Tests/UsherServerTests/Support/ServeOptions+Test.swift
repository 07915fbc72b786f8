import LocalhostClient
import UsherServer

extension ServeOptions {
    /// Options with a free port, the operator's token that all tests use, and sessions that need only their ids.
    static var test: ServeOptions {
        var options = ServeOptions()
        options.port = 0
        options.adminToken = LocalhostClient.operatorToken
        options.sessionAccess = .id
        return options
    }
}

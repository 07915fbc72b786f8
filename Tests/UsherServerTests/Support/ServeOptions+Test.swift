import LocalhostClient
import UsherServer

extension ServeOptions {
    /// A free port, the operator's token that all tests know, and sessions that their ids alone open.
    static var test: ServeOptions {
        var options = ServeOptions()
        options.port = 0
        options.adminToken = LocalhostClient.operatorToken
        options.sessionAccess = .id
        return options
    }
}

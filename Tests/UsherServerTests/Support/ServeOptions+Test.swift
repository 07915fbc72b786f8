import LocalhostClient
import UsherServer

extension ServeOptions {
    /// A free port, and the operator's token that all tests know.
    static var test: ServeOptions {
        var options = ServeOptions()
        options.port = 0
        options.adminToken = LocalhostClient.operatorToken
        return options
    }
}

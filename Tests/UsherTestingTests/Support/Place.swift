import LocalhostClient
import Testing
import Usher
import UsherServer
import UsherTesting

/// The place where a test's closure runs.
enum Place: CaseIterable, Sendable, CustomTestStringConvertible {
    case inProcess
    case localhost

    var testDescription: String {
        switch self {
        case .inProcess: "in process"
        case .localhost: "over localhost"
        }
    }

    /// Runs a closure with a new session.
    func run<A: App>(
        _ app: A.Type, options: String = "{}", sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (AppUnderTest) throws -> Void
    ) async throws {
        switch self {
        case .inProcess:
            let test = try AppUnderTest(app, optionsJSON: options, sourceLocation: sourceLocation)
            try body(test)
            test.finishTest(sourceLocation: sourceLocation)
        case .localhost:
            var serving = ServeOptions()
            serving.port = 0
            serving.adminToken = LocalhostClient.operatorToken
            serving.sessionAccess = .id
            let server = try Server(
                apps: [app], options: serving, log: Log(.text, milliseconds: { 0 }, sink: { _ in }))
            let result = Result {
                let driver = try LocalhostDriver(port: server.port, app: app.name, options: options)
                let test = try AppUnderTest(driving: driver, sourceLocation: sourceLocation)
                try body(test)
                test.finishTest(sourceLocation: sourceLocation)
            }
            await server.stop()
            try result.get()
        }
    }
}

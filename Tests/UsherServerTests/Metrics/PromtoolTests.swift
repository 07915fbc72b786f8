import Foundation
import LocalhostClient
import Programs
import Testing

/// Checks the metrics of a real server with Prometheus's tool.
@Suite("Checking the metrics with promtool", .blocking, .timeLimit(.minutes(5)))
struct PromtoolTests {
    @Test(.enabled(if: Promtool.isInstalled, Promtool.remedy))
    func `promtool accepts a server's metrics`() throws {
        let folder = try TemporaryFolder()
        let program = try Program(usher: ["serve", "--port", "0", "--journal", "sqlite:\(folder("journal.sqlite"))"])
        let client = LocalhostClient(port: try #require(program.readPort()))
        #expect(try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#).status == 201)
        #expect(try client.request("GET", "/nowhere").status == 404)
        let metrics = try client.request("GET", "/metrics")
        #expect(metrics.status == 200)
        let verdict = try Promtool.check(metrics.body, in: folder)
        #expect(verdict.status == 0 && verdict.output.isEmpty, "\(verdict.output)")
        let broken = try Promtool.check(Array("a_total 1\na_total 1\n".utf8), in: folder)
        #expect(broken.status != 0)
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
    }
}

/// The tool, if it is installed.
enum Promtool {
    /// Explains how to install the tool.
    static let remedy: Comment =
        "promtool is not in the PATH: script/bootstrap test installs it"

    static var isInstalled: Bool { (try? Program.run(["promtool", "--version"]))?.status == 0 }

    static func check(_ metrics: [UInt8], in folder: TemporaryFolder) throws -> ProgramEnd {
        try Data(metrics).write(to: URL(filePath: folder("metrics")))
        return try Program.run(["promtool", "check", "metrics"], input: folder("metrics"), errors: .together)
    }
}

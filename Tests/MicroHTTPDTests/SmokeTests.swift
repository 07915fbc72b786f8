import LocalhostClient
import MicroHTTPD
import Testing
import UsherHTTP

@Suite struct SmokeTests {
    @Test func `a request is answered`() async throws {
        let daemon = try Daemon { Response.text("\($0.method.rawValue) \($0.path) \($0.body.count)") }
        let client = LocalhostClient(port: daemon.port)
        let response = try client.request("POST", "/a/b%20c", body: "{}")
        #expect(response.status == 200)
        #expect(response.text == "POST /a/b c 2")
        await daemon.stop()
    }
}

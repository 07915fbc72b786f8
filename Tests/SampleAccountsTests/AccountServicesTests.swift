import Testing

@testable import SampleAccounts

@Suite("Services of the samples")
struct AccountServicesTests {
    @Test(arguments: [nil, ""])
    func `without a backend in the environment the accounts are embedded`(value: String?) throws {
        let services = try AccountServices.ofEnvironment { $0 == "USHER_SAMPLE_BACKEND" ? value : "http://other" }
        #expect(services.accounts is EmbeddedAccounts)
    }

    @Test func `a backend in the environment is asked`() throws {
        let services = try AccountServices.ofEnvironment { $0 == "USHER_SAMPLE_BACKEND" ? "http://127.0.0.1:1" : nil }
        #expect(services.accounts is HTTPAccounts)
    }

    @Test func `what is no URL is told, with the variable's name`() {
        let reason = """
            USHER_SAMPLE_BACKEND in the environment: this is no URL that a request can be sent to; \
            write it as http://host:port/path
            """
        #expect(throws: AccountServicesError(reason: reason)) {
            try AccountServices.ofEnvironment { _ in "127.0.0.1:8081" }
        }
    }
}

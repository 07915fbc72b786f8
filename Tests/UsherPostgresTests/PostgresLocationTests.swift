import Testing

@testable import UsherPostgres

@Suite("The location of a journal's database")
struct PostgresLocationTests {
    /// Returns the error for a URI; empty if it is accepted.
    private func refusal(_ uri: String, besides environment: [String: String] = [:]) -> String {
        do throws(PostgresJournalError) {
            _ = try PostgresLocation(uri, besides: environment)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        "postgres:///usher", "postgresql:///usher", "postgres://usher_app@localhost/usher",
        "postgres:///usher?host=/run/postgresql,127.0.0.1,::1",
        "postgres://usher_app@db1.example,db2.example/usher?sslmode=verify-full&passfile=/etc/usher/pgpass",
    ])
    func `a connection URI of PostgreSQL is accepted`(uri: String) {
        #expect(refusal(uri) == "")
    }

    @Test(arguments: [
        "", "host=localhost password=secret", "sqlite:journal", "postgres://localhost/usher?nonsense=secret",
        "postgres://[::1/usher",
    ])
    func `a malformed URI is refused, and the message does not quote it`(uri: String) {
        #expect(refusal(uri).contains("it is not a connection URI"))
        #expect(!refusal(uri).contains("secret"))
    }

    @Test(arguments: [
        ["host": "db1.example"], ["host": "localhost,db1.example", "sslmode": "prefer"], ["hostaddr": "10.0.0.1"],
        ["host": "db1.example", "sslmode": "require"],
    ])
    func `a remote host from the environment or a service file needs sslmode=verify-full too`(
        environment: [String: String]
    ) {
        #expect(refusal("postgres:///usher", besides: environment).contains("sslmode=verify-full"))
        #expect(refusal("postgres:///usher?sslmode=verify-full", besides: environment) == "")
        #expect(refusal("postgres:///usher", besides: environment.merging(["sslmode": "verify-full"]) { $1 }) == "")
    }

    @Test func `a URI that names a service is refused, because the service's settings cannot be checked`() {
        #expect(refusal("postgres:///usher?service=prod").contains("it names a service"))
    }

    @Test func `a URI with several hosts needs one port for each host, or a single port for all`() {
        #expect(refusal("postgres:///usher?host=localhost,127.0.0.1&port=1,2,3").contains("different numbers of hosts"))
        #expect(refusal("postgres://localhost:1,127.0.0.1/usher") == "")
        #expect(refusal("postgres:///usher?host=localhost,127.0.0.1&port=1") == "")
    }

    @Test func `each connection has time limits and the required encryption, whatever the URI says`() throws {
        let uri = "postgres://localhost/usher?connect_timeout=0&tcp_user_timeout=0"
        let options = try PostgresLocation(uri, besides: ["sslmode": "require", "port": "5433"]).connectionOptions
        let place = try #require(options.firstIndex { $0.keyword == "dbname" })
        let last = Dictionary(options[place...].map { ($0.keyword, $0.value) }) { $1 }
        #expect(last["connect_timeout"] == "2")
        #expect(last["tcp_user_timeout"] == "4000")
        #expect(last["sslmode"] == "require")
        #expect(last["host"] == "localhost")
        #expect(last["port"] == "5433")
    }

    @Test func `settings of the location come from the environment, and defaults come from libpq`() throws {
        let options = try PostgresLocation("postgres://localhost/usher").connectionOptions
        #expect(options.last { $0.keyword == "port" }?.value.isEmpty == false)
        #expect(options.last { $0.keyword == "sslmode" }?.value.isEmpty == false)
    }

    @Test func `a preferred host is tried before all other hosts, and a postponed host is tried after them`() throws {
        var location = try PostgresLocation("postgres://db1,db2:6432,db3/usher?sslmode=verify-full")
        func order() -> String { location.connectionOptions.last { $0.keyword == "host" }?.value ?? "" }
        location.hosts.postpone(DatabaseHosts.Host(name: "db1", port: "5432"))
        #expect(order() == "db2,db3,db1")
        #expect(location.connectionOptions.last { $0.keyword == "port" }?.value == "6432,,")
        location.hosts.prefer(DatabaseHosts.Host(name: "db3", port: "5432"))
        #expect(order() == "db3,db2,db1")
        location.hosts.postpone(DatabaseHosts.Host(name: "db2", port: "5432"))
        #expect(order() == "db3,db2,db1")
    }

    @Test(arguments: [
        "postgres://usher:secret@localhost/usher", "postgres://localhost/usher?password=secret",
        "postgres://localhost/usher?sslpassword=secret",
    ])
    func `a URI that contains a password is refused`(uri: String) {
        #expect(refusal(uri).contains("it contains a password"))
        #expect(!refusal(uri).contains("secret"))
    }

    @Test(arguments: [
        "postgres://usher@db.example/usher", "postgres://localhost,db.example/usher?sslmode=require",
        "postgres:///usher?hostaddr=10.0.0.1", "postgres://127.0.0.1.example/usher",
    ])
    func `a remote host needs sslmode=verify-full`(uri: String) {
        #expect(refusal(uri).contains("sslmode=verify-full"))
    }

    @Test func `the location's description contains only the hosts and the database`() throws {
        let location = try PostgresLocation("postgresql://usher_app@localhost/usher?sslmode=require")
        #expect("\(location)" == "postgres://localhost/usher")
    }
}

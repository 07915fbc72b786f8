import Testing
import UsherPostgres

@Suite("Where a journal's database is")
struct PostgresLocationTests {
    /// The sentence with which a URI is refused; empty where it is not.
    private func refusal(_ uri: String) -> String {
        do throws(PostgresJournalError) {
            _ = try PostgresLocation(uri)
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
    func `a URI of PostgreSQL's is taken`(uri: String) {
        #expect(refusal(uri) == "")
    }

    @Test(arguments: [
        "", "host=localhost password=secret", "sqlite:journal", "postgres://localhost/usher?nonsense=secret",
        "postgres://[::1/usher",
    ])
    func `what is none is refused, without a word of it`(uri: String) {
        #expect(refusal(uri).contains("it is no connection URI"))
        #expect(!refusal(uri).contains("secret"))
    }

    @Test(arguments: ["postgres://usher:secret@localhost/usher", "postgres://localhost/usher?password=secret"])
    func `a password has no place in it`(uri: String) {
        #expect(refusal(uri).contains("it has a password in it"))
        #expect(!refusal(uri).contains("secret"))
    }

    @Test(arguments: [
        "postgres://usher@db.example/usher", "postgres://localhost,db.example/usher?sslmode=require",
        "postgres:///usher?hostaddr=10.0.0.1", "postgres://127.0.0.1.example/usher",
    ])
    func `a host beyond this machine has to prove who it is`(uri: String) {
        #expect(refusal(uri).contains("sslmode=verify-full"))
    }

    @Test func `hosts and database are shown, and nothing else`() throws {
        let location = try PostgresLocation("postgresql://usher_app@localhost/usher?sslmode=require")
        #expect("\(location)" == "postgres://localhost/usher")
    }
}

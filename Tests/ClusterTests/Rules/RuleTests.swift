import LocalhostClient
import PostgresCluster
import ServerCluster
import Testing

/// The rules by which servers on one journal keep each other's answers true: for each, a fault that strikes at the moment
/// at which a server without the rule would give a wrong answer.
@Suite("The rules of several servers", .blocking, .timeLimit(.minutes(5)))
struct RuleTests {
    @Test(arguments: RuleTrial.all)
    func `no answer is wrong if a fault strikes at the moment that a rule is about`(trial: RuleTrial) async throws {
        #expect(try await trial.run() == [])
    }
}

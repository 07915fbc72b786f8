import LocalhostClient
import PostgresCluster
import ServerCluster
import Testing

/// Tests of the rules by which servers on one journal keep their responses correct.
///
/// For each rule, a fault occurs at the moment at which a server without the rule would give a wrong response.
@Suite("The rules of several servers", .blocking, .timeLimit(.minutes(5)))
struct RuleTests {
    @Test(arguments: RuleTrial.all)
    func `no answer is wrong if a fault strikes at the moment that a rule is about`(trial: RuleTrial) async throws {
        #expect(try await trial.run() == [])
    }
}

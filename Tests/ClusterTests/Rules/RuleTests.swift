import LocalhostClient
import PostgresCluster
import ServerCluster
import Testing

/// Tests of the rules by which servers on one journal keep their responses correct.
///
/// For each rule, a fault occurs at the moment at which a server without the rule would give a wrong response.
@Suite("The rules that several servers follow", .blocking, .timeLimit(.minutes(5)))
struct RuleTests {
    @Test(arguments: RuleTrial.all)
    func `servers answer correctly, even if a fault occurs when it would do the most harm`(
        trial: RuleTrial
    ) async throws {
        #expect(try await trial.run() == [])
    }
}

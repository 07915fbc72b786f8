import Usher
import UsherJournal
import UsherPostgres
import UsherProcess
import UsherServer

/// A server of the app whose state shows all that it has handled, with its journal in PostgreSQL.
///
/// `USHER_TEST_WITHOUT` names the safeguards that it does without.
@main
enum ClusterProgram: ServerProgram {
    static var apps: [any App.Type] { [LedgerApp.self] }
    static var journals: [JournalEngine] {
        [.postgres(keeping: Safeguards(without: ProcessEnvironment.variable("USHER_TEST_WITHOUT") ?? ""))]
    }
}

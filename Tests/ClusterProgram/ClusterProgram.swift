import Usher
import UsherPostgres
import UsherServer

/// A server of the app whose state shows all that it has handled, with its journal in PostgreSQL.
@main
enum ClusterProgram: ServerProgram {
    static var apps: [any App.Type] { [LedgerApp.self] }
    static var journals: [JournalEngine] { [.postgres] }
}

import Usher
import UsherPostgres
import UsherServer

/// A server with its journal in PostgreSQL, of the app whose state shows everything that it has handled.
@main
enum ClusterProgram: ServerProgram {
    static var apps: [any App.Type] { [LedgerApp.self] }
    static var journals: [JournalEngine] { [.postgres] }
}

import SampleApps
import Usher
import UsherPostgres
import UsherServer

/// The executable `usher-postgres`: the sample apps on a server that can share its journal with other servers.
@main
enum UsherPostgresCommand: ServerProgram {
    static var apps: [any App.Type] { SampleApps.all }
    static var journals: [JournalEngine] { [.postgres] }
}

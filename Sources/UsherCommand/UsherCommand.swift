import SampleApps
import Usher
import UsherServer

/// The executable `usher`: the sample apps on the server.
@main
enum UsherCommand: ServerProgram {
    static var apps: [any App.Type] { SampleApps.all }
}

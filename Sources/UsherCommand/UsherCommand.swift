import SampleApps
import Usher
import UsherServer

/// The executable `usher`: the samples on the server.
@main
enum UsherCommand: ServerProgram {
    static var apps: [any App.Type] { SampleApps.all }
}

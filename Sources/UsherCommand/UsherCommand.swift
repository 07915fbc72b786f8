import HelloBye
import Notes
import Sooda
import StartLoginMain
import Tudy
import Usher
import UsherServer

/// The executable `usher`: the samples on the server.
@main
enum UsherCommand: ServerProgram {
    static var apps: [any App.Type] {
        [HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self]
    }
}

import HelloBye
import Notes
import Sooda
import StartLoginMain
import Tudy
package import Usher

/// The apps of the articles, as each server of the samples lists them.
package enum SampleApps {
    /// All of them.
    package static var all: [any App.Type] {
        [HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self]
    }
}
